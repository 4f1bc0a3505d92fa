// Included by the testbenches of examples, within their module, after `clk`: a host on AXI4-Lite that writes and reads
// one word at a time. Signals change at the falling edge.
logic [31:0] awaddr = '0, wdata = '0, araddr = '0, rdata;
logic        awvalid = 1'b0, awready, wvalid = 1'b0, wready, bvalid, bready = 1'b0;
logic        arvalid = 1'b0, arready, rvalid, rready = 1'b0;
logic [1:0]  bresp, rresp;
int          wrong = 0;  // what went wrong so far

task automatic write(input logic [31:0] addr, input logic [31:0] data);
  @(negedge clk);
  awaddr = addr; awvalid = 1'b1;
  wdata  = data; wvalid  = 1'b1;
  bready = 1'b1;
  while (awvalid || wvalid) begin
    logic taken_addr, taken_data;
    #1 taken_addr = awready; taken_data = wready;
    @(negedge clk);
    if (taken_addr) awvalid = 1'b0;
    if (taken_data) wvalid  = 1'b0;
  end
  while (!bvalid) @(negedge clk);
  if (bresp != 2'b00) begin
    $display("write of %h to %h is refused", data, addr);
    wrong = wrong + 1;
  end
  @(negedge clk) bready = 1'b0;
endtask

task automatic read(input logic [31:0] addr, output logic [31:0] data);
  @(negedge clk);
  araddr = addr; arvalid = 1'b1;
  rready = 1'b1;
  while (arvalid) begin
    logic taken;
    #1 taken = arready;
    @(negedge clk);
    if (taken) arvalid = 1'b0;
  end
  while (!rvalid) @(negedge clk);
  data = rdata;
  if (rresp != 2'b00) wrong = wrong + 1;
  @(negedge clk) rready = 1'b0;
endtask

// The address of a control register.
function automatic logic [31:0] control(input int register);
  return 32'(axi_pkg::AXI_CONTROL) << (2 + axi_pkg::AXI_INDEX_W + axi_pkg::AXI_PART_W) | 32'(register) << 2;
endfunction

// ---- What `gossamer export --format axi` wrote: length and checksum, and address and data of each word.
task automatic load(input string name);
  int               file, words = 0;
  logic [31:0]      addr, data;
  logic [8*200-1:0] line;
  string            text;  // the line without the zeros before it, which Verilator's $sscanf does not skip
  file = $fopen(name, "r");
  if (file == 0) $fatal(1, "there is no file %s", name);
  write(control(axi_pkg::AXI_BEGIN), 32'd0);
  while ($fgets(line, file) != 0) begin
    text = $sformatf("%0s", line);
    if ($sscanf(text, "# length %d", data) == 1) write(control(axi_pkg::AXI_LENGTH), data);
    else if ($sscanf(text, "# checksum 0x%h", data) == 1) write(control(axi_pkg::AXI_CHECKSUM), data);
    else if ($sscanf(text, "0x%h 0x%h", addr, data) == 2) begin
      write(addr, data);
      words = words + 1;
    end
  end
  $fclose(file);
  if (words == 0) $fatal(1, "%s holds no tables", name);
  write(control(axi_pkg::AXI_COMMIT), 32'd0);
endtask
