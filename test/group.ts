// The process of one group of test files: they share what they import, already compiled, and follow one
// another, each in a suite of its own so that its hooks are its own.

import { after, suite } from "node:test";

/** What keeps a process alive after its last test is a fault of that test, but no reason to wait. */
const EXIT_MS = 20_000;

const files = JSON.parse(process.env["TEST_FILES"]!) as string[];
for (const file of files) {
  const url = new URL(`../${file}`, import.meta.url).href;
  suite(file, { timeout: 300_000 }, async () => {
    await import(url);
  });
}

after(() => {
  const leave = () => {
    console.log(`still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit();
  };
  setTimeout(leave, EXIT_MS).unref();
});
