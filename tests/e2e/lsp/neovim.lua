-- SPDX-License-Identifier: MIT
-- Neovim's own client (0.7 and later) with the built tool: diagnostics, a code action, a hover.
-- Runs headless with the tool in $HIPWRIGHT and the project as working directory.
local function check(condition, message)
  if not condition then
    io.stderr:write("FAIL: " .. message .. "\n")
    vim.cmd("cquit 1")
  end
end

local function wait_for(what, condition)
  check(vim.wait(20000, condition, 20), "timed out: " .. what)
end

vim.cmd("edit csrc/reduce.cu")
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = "hipwright",
  cmd = { vim.env.HIPWRIGHT, "lsp" },
  root_dir = vim.fn.getcwd(),
})
check(id, "the server did not start")
check(vim.lsp.buf_attach_client(buffer, id), "the buffer could not be attached")

local function codes()
  return vim.tbl_map(function(each) return each.code end, vim.diagnostic.get(buffer))
end

wait_for("the first diagnostics", function() return #codes() > 0 end)
check(vim.deep_equal(codes(), { "HW101" }), "not HW101: " .. vim.inspect(codes()))
local found = vim.diagnostic.get(buffer)[1]
check(found.lnum == 0 and found.col == 8 and found.source == "hipwright", vim.inspect(found))

-- Asks the server and gives its answer.
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  check(answers and answers[id] and not answers[id].err, method .. ": " .. vim.inspect(answers))
  return answers[id].result
end

vim.api.nvim_win_set_cursor(0, { 1, 10 })
local page = ask("textDocument/hover", vim.lsp.util.make_position_params())
check(page.contents.value:find("# HW101 warp-size-constant", 1, true) == 1, vim.inspect(page))

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer, 0) }
local fix
for _, action in ipairs(ask("textDocument/codeAction", params)) do
  if action.title:find("unsafe: review it", 1, true) then fix = action end
end
check(fix, "the fix is not offered")
local client = vim.lsp.get_client_by_id(id)
vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
check(lines[1] == "#if defined(__GFX8__) || defined(__GFX9__)" and lines[2] == "#define WARP_SIZE 64",
  "the buffer is not fixed: " .. vim.inspect(lines))
wait_for("no diagnostics after the fix", function() return #codes() == 0 end)

-- Typing brings the finding back: an incremental change of a buffer that was never saved.
vim.api.nvim_buf_set_text(buffer, 1, 0, 1, #lines[2], { "#define WARP_SIZE 32" })
wait_for("diagnostics after typing", function() return #codes() > 0 end)
check(vim.bo[buffer].modified, "the buffer was saved")

client.stop()
wait_for("the server's end", function() return client.is_stopped() end)
print("neovim is content\n")
vim.cmd("qall!")
