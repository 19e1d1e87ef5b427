// Sets up a server: asks for the settings that it needs, tries each, and writes them; then makes the owner's account.

import { ConfigError, readConfig, refuseOtherNames, saidOf } from "./uses.ts";
import type { Config, Env, SiteNames, Texts } from "./uses.ts";
import { linesOf } from "../../doctor/src/index.ts";
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
  texts: Texts;
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

const show = ({ say, texts }: Setup, findings: Finding[]): void => {
  for (const finding of findings) say(`  ${linesOf(texts, finding)}`);
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
      dialog.refuse(error.said ?? error.message);
      continue;
    }
    const findings = await findingsOf(setup, step, config);
    show(setup, findings);
    const isWrong = findings.some(({ state }) => state === "fault");
    if (!isWrong || (await dialog.confirm("setup.keep", false))) return answers;
  }
};

/** Takes the settings without asking; a fault ends the set-up. */
const takeStep = async (setup: Setup, step: Step, current: Env): Promise<void> => {
  const findings = await findingsOf(setup, step, readConfig(current));
  show(setup, findings);
  const wrong = findings.find(({ state }) => state === "fault");
  if (!wrong) return;
  const { t } = setup.texts;
  const { text } = saidOf(setup.texts, wrong);
  throw new ConfigError([text, t("setup.nothing"), t("setup.anyway")].join(" "));
};

const takeNames = ({ dialog, current, say, texts }: Setup, names: SiteNames): void => {
  if (dialog === null) return refuseOtherNames(names, readConfig(current).site);
  say(`  ${texts.t("setup.domain.fixed", { domain: names.localDomain })}`);
};

const runSteps = async (setup: Setup): Promise<Settings> => {
  const { dialog, names, say } = setup;
  const { t } = setup.texts;
  const steps = [DOMAIN, MAIL, STORAGE, BACKUP];
  const settings = { ...setup.chosen };
  for (const [index, step] of steps.entries()) {
    const number = t("setup.step", { number: index + 1, all: steps.length });
    say(`\n${number}  ${t(step.title)}`);
    if (dialog) say(`  ${t(step.about)}`);
    const current = { ...setup.current, ...settings };
    if (step === DOMAIN && names !== null) takeNames(setup, names);
    else if (dialog === null) await takeStep(setup, step, current);
    else Object.assign(settings, await askStep(setup, dialog, step, current));
  }
  return settings;
};

const lineOf = ({ t }: Texts, { name, before, after }: Change): string => {
  const value = after === "" ? t("setup.write.removed") : shownValue(t, name, after);
  return before === ""
    ? `  ${name}=${value}`
    : `  ${name}=${value}   ${t("setup.write.before", { value: shownValue(t, name, before) })}`;
};

/** Writes the settings and returns whether they were written: a person may refuse. */
const write = async (setup: Setup, settings: Settings): Promise<void> => {
  const { dialog, say, path, texts } = setup;
  const { t } = texts;
  const text = readSettings(path);
  const changes = changesOf(text, settings);
  if (changes.length === 0) {
    dialog?.wrote(path);
    return say(`\n${t("setup.write.all", { path })}`);
  }
  const written = withSettings(t, text, settings);
  say(`\n${t("setup.write.lines", { path })}`);
  for (const change of changes) say(lineOf(texts, change));
  const count = changes.filter(({ before }) => before !== "").length;
  const question = count > 0 ? "setup.write.replace" : "setup.write.ask";
  if (dialog && !(await dialog.confirm(question, count === 0, { count }))) {
    throw new ConfigError(t("setup.nothing"));
  }
  writeSettings(path, written);
  dialog?.wrote(path);
  say(t("setup.write.done", { path }));
};

/** Returns the environment of the new server; throws ConfigError when the set-up was aborted. */
export const runSetup = async (setup: Setup): Promise<Env> => {
  const settings = await runSteps(setup);
  if (!setup.names && !{ ...setup.current, ...settings }["LOCAL_DOMAIN"]) {
    const { t } = setup.texts;
    throw new ConfigError(`${t("setup.domain.needed")} ${t("setup.nothing")}`);
  }
  await write(setup, settings);
  return { ...setup.current, ...settings };
};
