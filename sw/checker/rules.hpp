#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/broken_rules.hpp"

namespace gossamer::checking {

/// What makes the schedule senseless as a whole: a root that is no node or that is faulty, orbits of
/// a collective that has a root (no translation leaves a root in its place) or that has faults, an
/// adaptive schedule against the rules for one. Nothing if it is sound.
std::optional<std::string> whole_schedule_fault(const Schedule& schedule);

/// Does the path exist, at least one hop long, without turning back on a link, and does it lead
/// somewhere else? A packet path must have one hop. False if the transfer cannot be played at all.
bool check_path(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// Something must be carried, each message once, and one only unless the model combines.
void check_load(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// Is `m` a message of the collective?
bool check_message(const Schedule& schedule, const Transfer& t, const Message& m, FaultLog& faults);

/// Why the source of `t` cannot send `m` yet: when it would arrive, as far as the lists tell.
std::string not_held_text(const Schedule& schedule, const Transfer& t, const Message& m);

/// "message 3" or "message [3,5]".
std::string to_text(const Schedule& schedule, const Message& m);
/// "message 3" or "messages 0-48, 50 (50)": the first ones of `count` messages, of which those given are
/// the first, in order.
std::string to_text(const Schedule& schedule, const std::vector<Message>& messages,
                    std::uint64_t count);

using MessageVisitor = std::function<void(const Message&)>;
/// Every message that `node` holds before round 1.
void for_each_initial(const Schedule& schedule, Node node, const MessageVisitor& visit);
/// Every message that `node` must hold in the end and did not hold before round 1.
void for_each_expected(const Schedule& schedule, Node node, const MessageVisitor& visit);

/// The same message by message, of those that exist, and how many they are.
bool is_initial(const Schedule& schedule, Node node, const Message& m);
bool is_expected(const Schedule& schedule, Node node, const Message& m);
std::uint64_t count_initial(const Schedule& schedule, Node node);
std::uint64_t count_expected(const Schedule& schedule, Node node);

}  // namespace gossamer::checking
