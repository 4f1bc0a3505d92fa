#!/bin/sh
# The folders of engines, for engine_cache.cpp. MAKE is the call of engine.mk with all settings but the variant's.
#
#   engine_cache.sh hashes NOTE MAKE   prints the four hashes of engine_hash.mk: those in NOTE, if it is there and no file behind
#                                      them has changed, and no folder of one; else MAKE works them out, which takes half a second
#   engine_cache.sh build NOTE MAKE FOLDER NAME KEY FINGERPRINT TOOLS SHARED
#                                      builds FOLDER/NAME-KEY.so, unless another process has by then; prints a line after each
#                                      step, or why it cannot
exec 2>/dev/null # what is to be told is told on stdout
verb=$1 note=$2 make=$3

look() { tr '\n' '\0' | xargs -0 stat -c '%.9Y %s %n'; }
hashes() {
  if seen=$(sed '1,4d; s/^[^ ]* [^ ]* //' "$note" | look) && [ "$(head -n 4 "$note" && echo "$seen")" = "$(cat "$note")" ]; then
    head -n 4 "$note"
    return
  fi
  begin=$(date +%s)
  asked=$(eval "$make key") || return
  # No note of what changed a moment ago: it may change again without another time.
  seen=$(echo "$asked" | sed '1,4d; s|\(.*\)/[^/]*$|&\n\1|' | sort -u | look) &&
    [ "$(echo "$seen" | sort -n | tail -n 1 | cut -d. -f1)" -lt $((begin - 2)) ] &&
    { echo "$asked" | head -n 4 && echo "$seen"; } >"$note.$$" && mv "$note.$$" "$note"
  echo "$asked" | head -n 4
}
if [ "$verb" = hashes ]; then
  hashes
  exit
fi

# shellcheck disable=SC2034 # run() evaluates it
folder=$4 name=$5 key=$6 fingerprint=$7 tools=$8 shared=$9
library=$folder/$name-$key.so part=$folder/$name-$key.part.so log=$folder/$name.log trace=''
case $name in *_trace*) trace=_trace ;; esac
runtime=$folder/runtime$trace-$tools.o
trap 'trap "" TERM; kill 0; exit 1' TERM # with all that it has started

# Calls make with these words; its output goes to the log, and the ends of its steps are told.
run() {
  eval "$make"' "NAME=$name" "OUT=$part" "RUNTIME_OBJECT=$runtime" "FINGERPRINT=$fingerprint" "STEP=echo >&3" "$@"' 3>&1 >"$log" 2>&1 &
  wait $!
}
# The compilers hold a lock, too: they end before another process begins, even if this one is killed.
lock() { ! command -v flock >/dev/null || flock "$1"; }
# once KIND FILE WORD...: what several engines share is made by one of them.
once() {
  exec 8>"$folder/$1.lock"
  lock 8
  status=0
  if ! [ -e "$2" ]; then
    case $1 in shared*) rm -f "$folder/$1"-* ;; esac # of earlier sources, a hundred megabytes
    shift 2
    run "$@" || status=1
  fi
  exec 8>&-
  return $status
}
fail() {
  rm -rf "$part" "$part.part" "${part%.so}.d"
  grep -m 1 rror "$log" || grep -m 1 . "$log" || echo nothing was said
  exit 1
}

true >>"$folder/$name.lock" || fail
exec 9>"$folder/$name.lock"
lock 9
[ ! -e "$library" ] || exit 0
# What killed builds have left, engines that nobody has used for a month, and all but the latest five of this one.
any=$(echo "$key" | sed 's/./[0-9a-f]/g')
for file in "$folder/$name"-*; do
  # shellcheck disable=SC2254 # a pattern
  case $file in *-$any.so) ;; *) rm -rf "$file" ;; esac
done
find "$folder" -maxdepth 1 -name "*-$any.so" -mtime +30 -delete
# shellcheck disable=SC2012,SC2086 # a pattern; there are no other names
(cd "$folder" && ls -t "$name"-$any.so | tail -n +6 | xargs rm -f)

once "runtime" "$runtime" runtime || fail
echo
case $name in # slow engines, whose names are of several words
  *_fast* | *_lanes*) shared='' ;;
  *_*)
    shared=$folder/shared$trace-$shared
    once "shared$trace" "$shared.o" "SHARED=$shared" shared || shared=''
    ;;
  *) shared='' ;;
esac
run ${shared:+"SHARED=$shared"} && [ -e "$part" ] || fail
if [ "$(hashes | head -n 1)" != "$key" ]; then
  echo "its sources changed while it was built; try again" >"$log"
  fail
fi
rm -rf "$log" "${part%.so}.d"
mv "$part" "$library"
