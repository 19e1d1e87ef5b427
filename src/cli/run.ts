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
  const tokens = root.command("tokens").description("access tokens");
  tokens
    .command("create <name>")
    .description("create an access token of an account; the last line printed is the token")
    .option("--scopes <scopes>", "separated by spaces", "read")
    .action(async (name: string, options: { scopes: string }) =>
      (await import("./tokens.ts")).createToken(name, options.scopes),
    );
};

const adminCommands = (root: Command): void => {
  const settings = root.command("settings").description("settings that hold at once");
  settings
    .command("registrations <mode>")
    .description("who may sign up: open, approved (a moderator looks first) or close")
    .action(async (mode: string) => (await import("./settings.ts")).setRegistrations(mode));
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
