// Sets up a server: asks for the settings that it needs, tries each, and writes them; then makes the owner's account.

import { ConfigError, readConfig, refuseOtherNames } from "./uses.ts";
import type { Config, Env, SiteNames } from "./uses.ts";
import type { Finding } from "../../doctor/src/index.ts";
import type { Lookup } from "./checks.ts";
import type { Dialog } from "./dialog.ts";
import { changesOf, readSettings, shownValue, withSettings, writeSettings } from "./env-file.ts";
import type { Change, Settings } from "./env-file.ts";
import { BACKUP, DOMAIN, MAIL, STORAGE } from "./steps.ts";
import type { Step } from "./steps.ts";

export type Setup = {
  /** Null when nobody can be asked. */
  dialog: Dialog | null;
  say(text: string): void;
  /** Settings of the file, the environment and the options, in this order. */
  current: Env;
  /** Settings of options, and secrets of the environment. */
  chosen: Settings;
  /** Names of the server whose data exists; null if there is none yet. */
  names: SiteNames | null;
  lookup: Lookup;
  /** False to try nothing. */
  isChecked: boolean;
  /** Path of the settings file. */
  path: string;
};

const MARKS = { ok: "✓", warning: "!", fault: "✗", skipped: "-" };

const show = ({ say }: Setup, findings: Finding[]): void => {
  for (const { state, text, advice } of findings) {
    say(`  ${MARKS[state]} ${text}${advice ? `\n    ${advice}` : ""}`);
  }
};

const findingsOf = async (setup: Setup, step: Step, config: Config): Promise<Finding[]> =>
  setup.isChecked ? step.check(config, setup.lookup) : [];

/** Asks until the answers are right, or the person keeps them anyway. */
const askStep = async (
  setup: Setup,
  dialog: Dialog,
  step: Step,
  current: Env,
): Promise<Settings> => {
  for (;;) {
    const answers = await step.ask(dialog, current);
    let config: Config;
    try {
      config = readConfig({ ...current, ...answers });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      setup.say(`  ${MARKS.fault} ${error.message}`);
      continue;
    }
    const findings = await findingsOf(setup, step, config);
    show(setup, findings);
    const isWrong = findings.some(({ state }) => state === "fault");
    if (!isWrong || (await dialog.confirm("Keep it all the same?", false))) return answers;
  }
};

/** Takes the settings without asking; a fault ends the set-up. */
const takeStep = async (setup: Setup, step: Step, current: Env): Promise<void> => {
  const findings = await findingsOf(setup, step, readConfig(current));
  show(setup, findings);
  const wrong = findings.find(({ state }) => state === "fault");
  if (!wrong) return;
  throw new ConfigError(`${wrong.text} Nothing was written; --no-checks writes it all the same.`);
};

const takeNames = ({ dialog, current, say }: Setup, names: SiteNames): void => {
  if (dialog === null) return refuseOtherNames(names, readConfig(current).site);
  say(`  This is the server ${names.localDomain}, which cannot be renamed.`);
};

const runSteps = async (setup: Setup): Promise<Settings> => {
  const { dialog, names, say } = setup;
  const steps = [DOMAIN, MAIL, STORAGE, BACKUP];
  const settings = { ...setup.chosen };
  for (const [index, step] of steps.entries()) {
    say(`\n${index + 1} of ${steps.length}  ${step.title}`);
    if (dialog) say(`  ${step.about}`);
    const current = { ...setup.current, ...settings };
    if (step === DOMAIN && names !== null) takeNames(setup, names);
    else if (dialog === null) await takeStep(setup, step, current);
    else Object.assign(settings, await askStep(setup, dialog, step, current));
  }
  return settings;
};

const lineOf = ({ name, before, after }: Change): string => {
  const value = after === "" ? "(removed)" : shownValue(name, after);
  return before === ""
    ? `  ${name}=${value}`
    : `  ${name}=${value}   (was ${shownValue(name, before)})`;
};

/** Writes the settings and returns whether they were written: a person may refuse. */
const write = async (setup: Setup, settings: Settings): Promise<void> => {
  const { dialog, say, path } = setup;
  const text = readSettings(path);
  const changes = changesOf(text, settings);
  if (changes.length === 0) {
    dialog?.wrote(path);
    return say(`\n${path} says all of this already.`);
  }
  const written = withSettings(text, settings);
  say(`\nFor ${path}, which keeps its other lines:`);
  for (const change of changes) say(lineOf(change));
  const replaced = changes.filter(({ before }) => before !== "").length;
  const question = replaced > 0 ? `Write this, and replace ${replaced} settings?` : "Write this?";
  if (dialog && !(await dialog.confirm(question, replaced === 0))) {
    throw new ConfigError("Nothing was written.");
  }
  writeSettings(path, written);
  dialog?.wrote(path);
  say(`Written. Only this user can read ${path}.`);
};

/** Returns the environment of the new server; throws ConfigError when the set-up was aborted. */
export const runSetup = async (setup: Setup): Promise<Env> => {
  const settings = await runSteps(setup);
  if (!setup.names && !{ ...setup.current, ...settings }["LOCAL_DOMAIN"]) {
    throw new ConfigError("A server needs a domain: nothing was written.");
  }
  await write(setup, settings);
  return { ...setup.current, ...settings };
};
