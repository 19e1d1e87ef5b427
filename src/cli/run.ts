// The command line: names follow tootctl where the thing is the same. Each command's work is in a
// file of its own, imported when it is called.

import { Command, Option } from "commander";
import { ConfigError, HttpError } from "../platform/errors.ts";
import { VERSION } from "../platform/version.ts";

const program = (): Command => {
  const root = new Command("rookery")
    .description("A federated social server that starts with one command.")
    .version(VERSION)
    .showHelpAfterError()
    .addHelpText("after", "\nConfiguration is by environment variables and .env: rookery config");
  serverCommands(root);
  accountCommands(root);
  adminCommands(root);
  return root;
};

const serverCommands = (root: Command): void => {
  root
    .command("start")
    .description("run the server")
    .option("--roles <list>", "which parts this process runs", "web,streaming,worker")
    .action(async (options: { roles: string }) =>
      (await import("./start.ts")).start(options.roles.split(",").map((role) => role.trim())),
    );
  root
    .command("migrate")
    .description("bring the database's schema up to date (start does it by itself)")
    .action(async () => (await import("./migrate.ts")).migrateCommand());
  root
    .command("config")
    .description("list every configuration variable, as a Markdown table")
    .action(async () => {
      const { variablesTable } = await import("../platform/config/config.ts");
      console.log(variablesTable());
    });
};

const accountCommands = (root: Command): void => {
  const accounts = root.command("accounts").description("people on this server");
  accounts
    .command("create <name>")
    .description("create an account and print its password")
    .requiredOption("--email <address>", "the person's e-mail address")
    .option("--confirmed", "the address needs no confirmation")
    .addOption(
      new Option("--role <role>", "what they may do").choices(["Owner", "Admin", "Moderator"]),
    )
    .action(async (name: string, options) =>
      (await import("./accounts.ts")).createAccount(name, options),
    );
  accounts
    .command("modify <name>")
    .description("change how a person signs in")
    .option("--reset-password", "make a new password, print it, and sign every app and browser out")
    .option("--disable-2fa", "ask for no code at sign-in, and remove the passkeys")
    .action(async (name: string, options: { resetPassword?: boolean; disable2fa?: boolean }) =>
      (await import("./accounts.ts")).modifyAccount(name, options),
    );
  const tokens = root.command("tokens").description("access tokens");
  tokens
    .command("create <name>")
    .description("create an access token of an account; the last line printed is the token")
    .option("--scopes <scopes>", "separated by spaces", "read")
    .action(async (name: string, options: { scopes: string }) =>
      (await import("./tokens.ts")).createToken(name, options.scopes),
    );
};

const settingCommands = (root: Command): void => {
  const settings = root.command("settings").description("settings that hold at once");
  settings
    .command("list")
    .description("every setting with its value")
    .action(async () => (await import("./settings.ts")).listSettings());
  settings
    .command("get <name>")
    .description("print the value of a setting")
    .action(async (name: string) => (await import("./settings.ts")).printSetting(name));
  settings
    .command("set <name> [value]")
    .description("change a setting; without a value it goes back to its default")
    .option("--file <path>", "take the value from a file, or from standard input (-)")
    .action(async (name: string, value: string | undefined, options: { file?: string }) =>
      (await import("./settings.ts")).changeSetting(name, value, options.file),
    );
  settings
    .command("registrations <mode>")
    .description("who may sign up: open, approved (a moderator looks first) or close")
    .action(async (mode: string) => (await import("./settings.ts")).setRegistrations(mode));
};

const textCommands = (root: Command): void => {
  const rules = root.command("rules").description("the rules of the server");
  rules
    .command("list")
    .description("every rule with its id")
    .action(async () => (await import("./rules.ts")).listRules());
  rules
    .command("add <text>")
    .description("add a rule after the others")
    .option("--hint <text>", "more about it", "")
    .action(async (text: string, options: { hint: string }) =>
      (await import("./rules.ts")).addRuleCommand(text, options.hint),
    );
  rules
    .command("translate <id> <language> <text>")
    .description("say a rule in another language")
    .option("--hint <text>", "more about it", "")
    .action(async (id: string, language: string, text: string, options: { hint: string }) =>
      (await import("./rules.ts")).translateCommand(id, language, { text, hint: options.hint }),
    );
  rules
    .command("remove <id>")
    .description("take a rule back; reports that name it keep it")
    .action(async (id: string) => (await import("./rules.ts")).removeRuleCommand(id));
  const terms = root.command("terms").description("the terms of service");
  terms
    .command("list")
    .description("the days from which versions hold")
    .action(async () => (await import("./terms.ts")).listTerms());
  terms
    .command("publish <day> <file>")
    .description("publish a version that holds from a day (2027-01-31) on; HTML or plain text")
    .action(async (day: string, file: string) =>
      (await import("./terms.ts")).publishCommand(day, file),
    );
};

const announcementCommands = (root: Command): void => {
  const announcements = root
    .command("announcements")
    .description("what everybody who signs in is told");
  announcements
    .command("create <text>")
    .description("announce something; the last line printed is its id")
    .option("--starts-at <time>", "when that of which it tells begins (2027-01-31T18:00Z)")
    .option("--ends-at <time>", "when it ends, and the announcement with it")
    .option("--all-day", "only the days of these times count")
    .option("--scheduled-at <time>", "when it is published")
    .action(async (text: string, options) =>
      (await import("./announcements.ts")).createCommand(text, options),
    );
  announcements
    .command("list")
    .description("every announcement, newest first")
    .action(async () => (await import("./announcements.ts")).listCommand());
  announcements
    .command("remove <id>")
    .description("take an announcement back")
    .action(async (id: string) => (await import("./announcements.ts")).removeCommand(id));
};

const adminCommands = (root: Command): void => {
  settingCommands(root);
  textCommands(root);
  announcementCommands(root);
  const nodeinfo = root.command("nodeinfo").description("NodeInfo documents");
  nodeinfo
    .command("validate <source>")
    .description("check a NodeInfo 2.0 document: a file, an address, or - for standard input")
    .action(async (source: string) => (await import("./nodeinfo.ts")).validateCommand(source));
};

/** Faults that the person can mend are one sentence; the others are ours and come with a trace. */
const report = (error: unknown): void => {
  const known = error instanceof ConfigError || error instanceof HttpError;
  console.error(known ? `rookery: ${error.message}` : error);
};

/** Runs the command line; the exit code is 1 after any error. */
export const run = async (argv: string[]): Promise<void> => {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
};
