// Refuses a build that is too heavy, or that carries what is not for users.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT_KIB = 130;
const files = readdirSync("dist", { recursive: true }).map(String);
const scripts = files.filter((file) => file.endsWith(".js"));
const kib = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join("dist", file))).length, 0) / 1024;

const faults = [
  ...(scripts.length === 0 ? ["there is no script"] : []),
  ...(kib > LIMIT_KIB ? [`the scripts have ${kib.toFixed(1)} KiB gzipped, more than ${LIMIT_KIB}`] : []),
  ...files.filter((file) => file.endsWith(".map")).map((file) => `${file} is a source map`),
  ...(readFileSync("dist/index.html", "utf8").includes("<style") ? ["index.html has an inline style"] : []),
];
if (faults.length > 0) {
  console.error(`The build is not fit: ${faults.join("; ")}`);
  process.exit(1);
}
console.log(`Scripts: ${kib.toFixed(1)} KiB gzipped`);
