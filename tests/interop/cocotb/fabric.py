"""A host of axi_fabric: it loads tables, starts periods, and moves words in and out.

Copy this file together with bench.sv; docs/hardware/axi.md explains the registers."""

import re
from dataclasses import dataclass
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import (AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink,
                           AxiStreamSource)


def constants(rtl: Path) -> dict[str, int]:
    """The constants of the two packages in the folder rtl/, which have one a line."""
    text = "".join((rtl / package).read_text() for package in ("node/gossamer_pkg.sv", "axi/axi_pkg.sv"))
    return {name: int(value) for name, value in re.findall(r"localparam int +(\w+)\s*=\s*(\d+);", text)}


@dataclass
class Tables:
    """What `gossamer export --format axi -o FILE` wrote."""

    writes: list[tuple[int, int]]  # byte address and word
    length: int
    checksum: int
    own: dict[int, list[str]]  # by node: the destinations of its words, or ["all"]

    @classmethod
    def read(cls, file: Path) -> "Tables":
        text = file.read_text()
        return cls(
            writes=[(int(a, 16), int(d, 16)) for a, d in re.findall(r"^(0x\w+) (0x\w+)$", text, re.M)],
            length=int(re.search(r"^# length (\d+)$", text, re.M)[1]),
            checksum=int(re.search(r"^# checksum (0x\w+)$", text, re.M)[1], 16),
            own={int(n): to.split() for n, to in re.findall(r"^# own (\d+): (.*)$", text, re.M)})


class Fabric:
    """bench.sv with a master on AXI4-Lite, and at each node a source and a sink."""

    def __init__(self, dut, rtl: Path):
        self.dut = dut
        self.k = constants(rtl)
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst_n, False)
        self.ports = int(dut.PORTS.value)
        nodes = [dut.gen_node[n] for n in range(len(dut.gen_node))]
        self.nodes = len(nodes)
        # One word is one "byte" of 32 bits: the streams have no tkeep.
        self.sources = [AxiStreamSource(AxiStreamBus.from_prefix(node, "s_axis"), dut.clk, dut.rst_n, False,
                                        byte_size=32) for node in nodes]
        self.sinks = [AxiStreamSink(AxiStreamBus.from_prefix(node, "m_axis"), dut.clk, dut.rst_n, False,
                                    byte_size=32) for node in nodes]

    async def reset(self):
        cocotb.start_soon(Clock(self.dut.clk, 10, unit="ns").start())
        self.dut.rst_n.value = 0
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst_n.value = 1
        await RisingEdge(self.dut.clk)

    def address(self, node: int, region: int, part: int = 0, index: int = 0) -> int:
        k = self.k
        return (((node << k["AXI_REGION_W"] | region) << k["AXI_PART_W"] | part) << k["AXI_INDEX_W"] | index) << 2

    def control(self, register: str) -> int:
        return self.address(0, self.k["AXI_CONTROL"], index=self.k[register])

    # ---- One word. The response says whether the fabric did it.
    async def try_write(self, address: int, word: int) -> AxiResp:
        return (await self.axil.write(address, word.to_bytes(4, "little"))).resp

    async def try_read(self, address: int) -> tuple[AxiResp, int]:
        answer = await self.axil.read(address, 4)
        return answer.resp, int.from_bytes(answer.data, "little")

    async def write(self, address: int, word: int):
        resp = await self.try_write(address, word)
        assert resp == AxiResp.OKAY, f"write of {word:#x} to {address:#x}: {resp!r}"

    async def read(self, address: int) -> int:
        resp, word = await self.try_read(address)
        assert resp == AxiResp.OKAY, f"read of {address:#x}: {resp!r}"
        return word

    async def status(self, bit: str) -> bool:
        return bool(await self.read(self.control("AXI_STATUS")) >> self.k[bit] & 1)

    # ---- Tables and periods.
    async def load(self, tables: Tables):
        await self.write(self.control("AXI_BEGIN"), 1)
        for address, word in tables.writes:
            await self.write(address, word)
        await self.write(self.control("AXI_LENGTH"), tables.length)
        await self.write(self.control("AXI_CHECKSUM"), tables.checksum)
        await self.write(self.control("AXI_COMMIT"), 1)

    async def start(self):
        await self.write(self.control("AXI_RUN"), 1)

    async def finish(self):
        while await self.status("AXI_RUNNING"):
            pass
        assert not await self.status("AXI_ERROR"), "a node raised an error"

    # ---- Words.
    async def send(self, words: list[list[int]]):
        """The words with which each node starts the next period."""
        for source, own in zip(self.sources, words):
            await source.send(AxiStreamFrame(own))
        for source in self.sources:
            await source.wait()

    def received(self) -> list[list[tuple[int, list[int]]]]:
        """The packets that have come out of each node since the last call: port, words."""
        packets = []
        for sink in self.sinks:
            packets.append([])
            while not sink.empty():
                frame = sink.recv_nowait()
                user = frame.tuser if isinstance(frame.tuser, list) else [frame.tuser]
                assert len(set(user)) == 1, f"tuser changes within a packet: {user}"
                packets[-1].append((user[0], list(frame.tdata)))
        return packets
