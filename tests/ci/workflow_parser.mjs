// SPDX-License-Identifier: MIT
// usage: node workflow_parser.mjs MODULES WORKFLOW…: the errors of GitHub's own parser, with lines.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";

// The package imports JSON without the attribute that node wants.
register(
  "data:text/javascript," +
    encodeURIComponent(`
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
export async function load(url, context, next) {
  if (!url.endsWith(".json")) return next(url, context);
  return { format: "module", shortCircuit: true, source: "export default " + readFileSync(fileURLToPath(url), "utf8") };
}`),
);

const [modules, ...paths] = process.argv.slice(2);
const entry = pathToFileURL(`${modules}/@actions/workflow-parser/dist/index.js`).href;
const { parseWorkflow, NoOperationTraceWriter, convertWorkflowTemplate } = await import(entry);
let failed = false;
for (const path of paths) {
  const file = { name: path, content: readFileSync(path, "utf8") };
  const result = parseWorkflow(file, new NoOperationTraceWriter());
  if (result.value) await convertWorkflowTemplate(result.context, result.value);
  for (const error of result.context.errors.getErrors()) {
    console.log(error.message);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
