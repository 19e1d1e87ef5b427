// The command `rookery nodeinfo validate FILE|URL|-`.

import { ConfigError, readText } from "./uses.ts";
import { validateNodeInfo } from "./validator.ts";

const LIMIT_MS = 10_000;

/** Downloads without the guarded client: the administrator typed the URL and may choose any address. */
const download = async (url: string): Promise<string> => {
  try {
    const answer = await fetch(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!answer.ok) throw new ConfigError(`${url} responded with status ${answer.status}.`);
    return await answer.text();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`Cannot reach ${url}.`);
  }
};

const read = (source: string): Promise<string> =>
  /^https?:\/\//.test(source) ? download(source) : readText(source);

const parse = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new ConfigError(`This is not valid JSON: ${(error as Error).message}.`);
  }
};

/** Prints every violation with its path; the exit code is 1 when there are any. */
export const validateCommand = async (source: string): Promise<void> => {
  const faults = validateNodeInfo(parse(await read(source)));
  for (const { path, message } of faults) console.log(`${path || "(document)"}: ${message}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log("OK: the document is valid NodeInfo 2.0.");
};
