// The command `rookery move-domain`.

import {
  ConfigError,
  domain,
  progressLine,
  readConfig,
  readEnvironment,
  refuseUnfinishedMove,
} from "./uses.ts";
import type { Env, OutputOptions, SiteNames } from "./uses.ts";
import { planMove } from "./check.ts";
import type { Plan } from "./check.ts";
import { forgetDomain } from "./forget.ts";
import { moveDomain } from "./move.ts";
import type { Moved } from "./move.ts";
import { withAppNamed } from "./session.ts";

export type MoveOptions = OutputOptions & { webDomain?: string; forget?: string };

const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

const number = (n: number): string => n.toLocaleString("en-US");

/** Returns the names that follow from the options. Whether addresses are https follows the rules for new servers. */
const chosenNames = (env: Env, name: string, webName: string | undefined) => {
  const localDomain = domain({ "The new domain": name }, "The new domain", "");
  return (stored: SiteNames): SiteNames => {
    if (webName === undefined && stored.webDomain !== stored.localDomain)
      throw new ConfigError(
        `The addresses of this server are at ${stored.webDomain}: say where they are to be (--web-domain).`,
      );
    const webDomain = domain({ "--web-domain": webName }, "--web-domain", localDomain);
    const names = { LOCAL_DOMAIN: localDomain, WEB_DOMAIN: webDomain };
    return readConfig({ ...env, ...names }).site;
  };
};

const printCounts = (counts: Record<string, number>): void => {
  for (const [what, count] of Object.entries(counts))
    if (count > 0) console.log(`${number(count)} ${what}`);
};

const printPlan = ({ rewritten, told }: Plan): void => {
  console.log("Rows with addresses that would be rewritten:");
  printCounts(rewritten);
  console.log(
    `\n${number(told.moves)} of ${number(told.accounts)} accounts have ${number(told.followers)} followers elsewhere: ${number(told.deliveries)} deliveries tell their servers.`,
  );
  console.log(`${number(told.follows)} accounts elsewhere are followed anew.`);
};

const printMoved = ({ from, to, counts }: Moved): void => {
  printCounts(counts);
  const split = to.webDomain === to.localDomain ? "" : ` and WEB_DOMAIN=${to.webDomain}`;
  console.log(
    `This server is ${to.localDomain} now. Set LOCAL_DOMAIN=${to.localDomain}${split}, and start it: then other servers are told. Let ${from.webDomain} lead to it, too.`,
  );
};

const isSame = (a: SiteNames, b: SiteNames): boolean =>
  a.localDomain === b.localDomain && a.webDomain === b.webDomain;

const moveTo = async (name: string, { webDomain, dryRun, json }: MoveOptions): Promise<void> => {
  const env = readEnvironment();
  await withAppNamed(env, chosenNames(env, name, webDomain), async (app, { stored }) => {
    if (isSame(stored, app.config.site)) {
      if (json) return printJson({ from: stored, to: stored, counts: {} });
      return console.log(`This server is ${stored.localDomain} already.`);
    }
    if (dryRun) {
      const plan = await planMove(app, stored);
      return json ? printJson(plan) : printPlan(plan);
    }
    const line = progressLine();
    let done = 0;
    const onProgress = (step: string, count: number) => {
      done += count;
      line.show(`${number(done)} done: ${step}`);
    };
    const moved = await moveDomain(app, { from: stored, onProgress });
    line.clear();
    return json ? printJson(moved) : printMoved(moved);
  });
};

const forget = (name: string, { dryRun }: MoveOptions): Promise<void> =>
  withAppNamed(
    readEnvironment(),
    (stored) => stored,
    async (app) => {
      await refuseUnfinishedMove(app.sql);
      await forgetDomain(app, name, { dryRun: dryRun ?? false });
      console.log(
        dryRun
          ? `${name} would not be this server's any more.`
          : `${name} is not this server's any more: restart it.`,
      );
    },
  );

/** Moves the stopped server to another domain, or gives up a former one. */
export const moveDomainCommand = (
  name: string | undefined,
  options: MoveOptions,
): Promise<void> => {
  if ((name === undefined) === (options.forget === undefined))
    throw new ConfigError("Name the new domain, or pass --forget with a former one.");
  return name === undefined ? forget(options.forget!, options) : moveTo(name, options);
};
