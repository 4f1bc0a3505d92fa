"""axi_fabric with AXI4-Lite and AXI4-Stream as cocotbext-axi speaks them. TABLES is a folder with
gossip.txt and total_exchange.txt, which `gossamer export --format axi` wrote; RTL is the folder rtl/."""

import os
import random
from pathlib import Path

import cocotb
from cocotbext.axi import AxiResp

from fabric import Fabric, Tables
from rules import watch

# TABLES, RTL: set by `run`.
GOSSIP = Tables.read(Path(os.environ["TABLES"]) / "gossip.txt")
EXCHANGE = Tables.read(Path(os.environ["TABLES"]) / "total_exchange.txt")
NODES = len(GOSSIP.own)


def word_of(origin, destination, period=0):
    return 0xC0DE0000 | period << 8 | origin << 4 | destination


def own_words(tables, period=0):
    """What each node starts with: a word for everybody (destination 15), or one for each of the others."""
    return [[word_of(n, 15 if to == "all" else int(to), period) for to in tables.own[n]] for n in range(NODES)]


def check_packets(packets, tables, period=0):
    """Each node must have received what the others sent to it or to everybody, each word once, in packets of
    different ports. In a total exchange words that it passes on arrive as well."""
    own = own_words(tables, period)
    for n, logs in enumerate(packets):
        ports = [port for port, _ in logs]
        assert ports == sorted(set(ports)), f"node {n}: packets of ports {ports}"
        words = sorted(word for _, log in logs for word in log if word & 15 in (15, n))
        expected = sorted(word for o in range(NODES) if o != n for word in own[o] if word & 15 in (15, n))
        assert len(expected) == NODES - 1
        assert words == expected, f"node {n}: received {[hex(w) for w in words]}, not {[hex(w) for w in expected]}"
        known = {word for others in own for word in others}
        assert all(word in known for _, log in logs for word in log), f"node {n}: words that nobody sent in {logs}"


def stall(fabric, chance):
    """Every side waits at random, independently of the others."""
    def waits():
        dice = random.Random(random.getrandbits(32))
        while True:
            yield dice.random() < chance
    write, read = fabric.axil.write_if, fabric.axil.read_if
    for side in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel,
                 *fabric.sources, *fabric.sinks):
        side.set_pause_generator(waits())


async def fabric_of(dut):
    fabric = Fabric(dut, Path(os.environ["RTL"]))
    await fabric.reset()
    watch(dut)
    assert await fabric.read(fabric.control("AXI_NODES")) == NODES
    return fabric


async def run_periods(fabric, tables, periods):
    for period in range(periods):
        await fabric.send(own_words(tables, period))
        await fabric.start()
        await fabric.finish()
        check_packets(fabric.received(), tables, period)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def gossip(dut):
    """A session as a user would write it: load, send, start, receive."""
    fabric = await fabric_of(dut)
    await fabric.load(GOSSIP)
    await run_periods(fabric, GOSSIP, 3)
    assert await fabric.read(fabric.control("AXI_PERIODS")) == 3


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def total_exchange(dut):
    fabric = await fabric_of(dut)
    await fabric.load(EXCHANGE)
    await run_periods(fabric, EXCHANGE, 3)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def back_pressure(dut):
    """Nothing is lost or duplicated when every channel and every stream waits at random."""
    fabric = await fabric_of(dut)
    stall(fabric, 0.6)
    for tables in (GOSSIP, EXCHANGE):
        await fabric.load(tables)
        await run_periods(fabric, tables, 3)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def many_requests_at_once(dut):
    """Reads and writes that are all outstanding: each gets its own answer, in the order of the requests."""
    fabric = await fabric_of(dut)
    store = fabric.k["CFG_STORE"]
    own = [fabric.address(0, store, part=fabric.ports, index=i) for i in range(32)]
    writes = [fabric.axil.init_write(at, (0xA0 + i).to_bytes(4, "little")) for i, at in enumerate(own)]
    reads = [fabric.axil.init_read(fabric.control("AXI_NODES" if i % 2 else "AXI_BEGIN"), 4) for i in range(32)]
    nowhere = fabric.axil.init_read(fabric.address(NODES, 0), 4)
    for event in writes:
        await event.wait()
        assert event.data.resp == AxiResp.OKAY
    for i, event in enumerate(reads):
        await event.wait()
        assert int.from_bytes(event.data.data, "little") == (NODES if i % 2 else 0), f"read {i}"
    await nowhere.wait()
    assert nowhere.data.resp == AxiResp.SLVERR
    for i, at in enumerate(own):
        assert await fabric.read(at) == 0xA0 + i


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reads_of_bytes(dut):
    """A read that starts within a word returns the bytes of that word."""
    fabric = await fabric_of(dut)
    own = fabric.address(3, fabric.k["CFG_STORE"], part=fabric.ports)
    await fabric.write(own, 0x11223344)
    for at in range(4):
        answer = await fabric.axil.read(own + at, 1)
        assert (answer.resp, answer.data) == (AxiResp.OKAY, bytes([0x44 - 0x11 * at])), f"byte {at}: {answer}"
