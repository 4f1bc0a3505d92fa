"""What AXI4 demands of the side that offers something, checked in every cycle: the drivers of cocotbext-axi do not."""

import cocotb
from cocotb.triggers import RisingEdge

RULES = {"s_axil_b": ["resp"], "s_axil_r": ["data", "resp"], "m_axis_t": ["data", "user", "last"]}


async def _offers_stay(scope, prefix, clk, rst_n):
    valid, ready = (getattr(scope, prefix + name) for name in ("valid", "ready"))
    payload = [getattr(scope, prefix + name) for name in RULES[prefix]]
    waiting = None
    while True:
        await RisingEdge(clk)
        if not int(rst_n.value):
            waiting = None
            continue
        offered = [int(signal.value) for signal in payload] if int(valid.value) else None
        assert waiting is None or offered == waiting, \
            f"{scope._name}.{prefix}*: offered {waiting}, and before it was taken {offered}"
        waiting = offered if offered is not None and not int(ready.value) else None


async def _answers_follow(dut):
    """A response comes only after its request, one for each."""
    count = {"aw": 0, "w": 0, "b": 0, "ar": 0, "r": 0}
    while True:
        await RisingEdge(dut.clk)
        if not int(dut.rst_n.value):
            count = dict.fromkeys(count, 0)
            continue
        assert not int(dut.s_axil_bvalid.value) or count["b"] < min(count["aw"], count["w"]), \
            f"bvalid before its request: {count}"
        assert not int(dut.s_axil_rvalid.value) or count["r"] < count["ar"], f"rvalid before its request: {count}"
        for channel in count:
            if int(getattr(dut, f"s_axil_{channel}valid").value) and int(getattr(dut, f"s_axil_{channel}ready").value):
                count[channel] += 1


def watch(dut):
    """Watches every channel on which the fabric offers something until the test ends."""
    for prefix in ("s_axil_b", "s_axil_r"):
        cocotb.start_soon(_offers_stay(dut, prefix, dut.clk, dut.rst_n))
    for n in range(len(dut.gen_node)):
        cocotb.start_soon(_offers_stay(dut.gen_node[n], "m_axis_t", dut.clk, dut.rst_n))
    cocotb.start_soon(_answers_follow(dut))
