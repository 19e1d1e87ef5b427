// The command line. Names follow tootctl where the command does the same. What a command does is in a package or
// another file, which is imported only when the command runs.

import { Command, Option } from "commander";
import { completeHelp, CONVENTIONS, JSON_OPTION, many, wholeNumber } from "./conventions.ts";
import { EXAMPLES } from "./examples.ts";
import { addGroups, GROUPS, nameGroups } from "./groups.ts";
import { noteCommand } from "./audited-commands.ts";
import { asTyped } from "../platform/command-name.ts";
import { ConfigError, DomainError, NotFound } from "../platform/errors.ts";
import { builtInVersion } from "#embedded-postgres";
import { faultsOf } from "../platform/http/field-faults.ts";
import { isOfSystem, reasonOf } from "../platform/reason.ts";
import { textsIn } from "../platform/text/texts.ts";
import { VERSION } from "../platform/version.ts";

/** Prints versions, one a line, because scripts read them. */
const versions = (): string =>
  [
    `Rookery ${VERSION}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${builtInVersion() ?? "(none built in for this platform)"}`,
  ].join("\n");

let running: Command | null = null;

/** Returns the program with the commands that these words may name; without words with all. */
export const program = async (words?: readonly string[]): Promise<Command> => {
  const root = new Command("rookery")
    .description("A federated social server that starts with one command.")
    .version(versions())
    .showHelpAfterError()
    .addHelpText(
      "after",
      "\nConfigure Rookery with environment variables or a .env file. List them with: rookery config",
    );
  serverCommands(root);
  addGroups(root, GROUPS.staff);
  nodeinfoCommands(root);
  addGroups(root, GROUPS.media);
  importCommands(root);
  moveCommands(root);
  exportCommands(root);
  addGroups(root, GROUPS.upkeep);
  upkeepCommands(root);
  const isGroup = words === undefined || nameGroups(words);
  const more = isGroup && (await import("#administration")).declareCommands(root, CONVENTIONS);
  completeHelp(root, { ...EXAMPLES, ...more });
  root.hook("preAction", (_root, command) => {
    running = command;
    noteCommand(command);
  });
  return root;
};

const setupCommands = (root: Command): void => {
  root
    .command("setup")
    .description("ask for what a new server needs, try it, and write it to .env")
    .option("--yes", "ask nothing: take the options, and from the environment the secrets")
    .option("--no-checks", "try nothing of it")
    .option("--domain <name>", "the domain of the server")
    .option("--smtp-server <host>", "the mail server (SMTP_PASSWORD from the environment)")
    .option("--smtp-port <port>", "its port; 465 is TLS from the beginning")
    .option("--smtp-login <name>", "the user name for it")
    .option("--smtp-from <address>", "the sender of mails")
    .addOption(new Option("--storage <kind>", "where media are stored").choices(["disk", "s3"]))
    .option("--s3-bucket <name>", "the bucket (AWS_… keys from the environment)")
    .option("--s3-endpoint <url>", "the address of the service")
    .option("--s3-region <name>", "the region of the bucket")
    .option("--backup-to <place>", "a folder, or s3://bucket/folder (BACKUP_PASSPHRASE likewise)")
    .option("--owner <name>", "also make the owner's account")
    .option("--owner-email <address>", "with this email address")
    .action(async (options) => (await import("#setup")).setupCommand(options));
};

const serverCommands = (root: Command): void => {
  root
    .command("start")
    .description("run the server")
    .option("--roles <list>", "roles to run in this process", "web,streaming,worker")
    .action(async (options: { roles: string }) =>
      (await import("./start.ts")).start(options.roles.split(",").map((role) => role.trim())),
    );
  setupCommands(root);
  root
    .command("migrate")
    .description("migrate the database to the latest schema (start does this automatically)")
    .action(async () => (await import("./migrate.ts")).migrateCommand());
  root
    .command("plan")
    .description(
      "say what so many people need: processes, cores, memory, storage, and what fills first",
    )
    .requiredOption(
      "--daily-users <n>",
      "people who come in a day",
      wholeNumber("--daily-users", 100_000_000),
    )
    .option("--followers <n>", "followers of each, on the average", wholeNumber("--followers"), 100)
    .option("--remote <percent>", "of these, on other servers", wholeNumber("--remote", 100), 50)
    .option("--figures <file>", "what npm run bench -- --json wrote on the machine in question")
    .option(...JSON_OPTION)
    .action(async (options) => (await import("#plan")).planCommand(options));
  root
    .command("upgrade [next]")
    .description(
      "replace this version by the one in a folder or archive, and go back where it does not serve",
    )
    .option("--check", "only say what a start of this version would do to the database")
    .option("--link <path>", "the link to the folder of the version, which the service starts")
    .option("--service <unit>", "the service of systemd", "rookery")
    .option("--backup-to <place>", "where the backup goes, if not to BACKUP_TO")
    .option("--back-to <path>", "the Debian package of this version, where the next is one, too")
    .option("--wait <seconds>", "how long the start may take", wholeNumber("--wait"), 120)
    .addOption(new Option("--mark").hideHelp())
    .addOption(new Option("--written-since <mark>").hideHelp())
    .option(...JSON_OPTION)
    .action(async (next, options) =>
      (await import("#upgrade-check")).upgradeCommand(next, options),
    );
  root
    .command("backup [target]")
    .description(
      "write a backup of everything while the server runs, to a file, a folder or s3://bucket/…; without a target, to BACKUP_TO",
    )
    .option("--passphrase-file <path>", "encrypt it with the passphrase in this file")
    .option(...JSON_OPTION)
    .action(async (target: string | undefined, options) =>
      (await import("#backup")).backupCommand(target, options),
    );
  root
    .command("restore <target>")
    .description("restore a backup, or the newest one of a folder, into an empty DATA_DIR")
    .option("--check", "only read the backup, and say whether it is whole")
    .option(
      "--deep",
      "with --check: start the backup in a throw-away place, and ask it a hundred questions",
    )
    .option("--passphrase-file <path>", "decrypt it with the passphrase in this file")
    .option("--json", "with --check: print what is in it as JSON")
    .action(async (target: string, options) =>
      (await import("#backup")).restoreCommand(target, options),
    );
  root
    .command("doctor")
    .description("check everything that a server needs, and say what to do about what is missing")
    .option(
      "--minutes <n>",
      "what a check may take: half a minute without it",
      wholeNumber("--minutes"),
    )
    .option("--only <check>", "a single check, such as updates; a wrong name lists all")
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExit code: 0 all is well, 1 something does not work, 2 only warnings")
    .action(async (options) => (await import("#doctor")).doctorCommand(options));
  root
    .command("config")
    .description("list all configuration variables as a Markdown table")
    .action(async () => {
      const { variablesTable } = await import("../platform/config/variables.ts");
      console.log(variablesTable());
    });
};

const importCommands = (root: Command): void => {
  const imports = root.command("import").description("move in from other software");
  many(imports.command("mastodon"))
    .description("take over a whole Mastodon (4.3 or newer) of the same domain, as it stands")
    .requiredOption("--database <url>", "its PostgreSQL database, which is only read")
    .requiredOption("--media <place>", "its folder public/system, or s3://bucket/folder")
    .requiredOption("--env <file>", "its .env.production")
    .option("--check", "compare counts and a sample of what was taken with the other database")
    .option("--token <token...>", "with --check: of apps of people; what they read on both servers")
    .option("--api <url>", "where the other server listens, for --token")
    .action(async (options) => (await import("#import-mastodon")).importMastodon(options));
};

const moveCommands = (root: Command): void => {
  many(root.command("move-domain [name]"))
    .description(
      "give the server another domain while it is stopped: all addresses are rewritten, and other servers are told when it starts",
    )
    .option("--web-domain <name>", "where its addresses are, if that is another name")
    .option("--forget <name>", "instead: give up a former domain, which is then nobody's here")
    .action(async (name: string | undefined, options) =>
      (await import("#move-domain")).moveDomainCommand(name, options),
    );
};

const exportCommands = (root: Command): void => {
  root
    .command("export <target>")
    .description(
      "write the whole server as files that other software reads, into a folder or a .tar; run again, a folder goes on where it was interrupted",
    )
    .option("--with-secrets", "also email addresses, hashes of passwords, and private keys")
    .option(...JSON_OPTION)
    .action(async (target: string, options) =>
      (await import("#export-server")).exportCommand(target, options),
    );
};

const nodeinfoCommands = (root: Command): void => {
  const nodeinfo = root.command("nodeinfo").description("tools for NodeInfo documents");
  nodeinfo
    .command("validate <source>")
    .description("validate a NodeInfo 2.0 document from a file, a URL or standard input (-)")
    .action(async (source: string) =>
      (await import("#nodeinfo-validator")).validateCommand(source),
    );
};

const upkeepCommands = (root: Command): void => {
  many(root.command("maintenance"))
    .description(
      "look for unfinished indexes, another order of texts and bloated tables, and put them right",
    )
    .action(async (options) => (await import("#administration")).maintenanceCommand(options));
  many(root.command("self-destruct"))
    .description("delete everybody on this server, and tell all other servers; for ever")
    .option("--confirm <domain>", "the domain of this server")
    .action(async (options) => (await import("#administration")).selfDestructCommand(options));
};

/**
 * Says in people's words which values are wrong, and names what was not found by the group of the command and its
 * argument: `reports resolve 7` has no report 7.
 */
const sentenceOf = (error: Error): string => {
  const faults = faultsOf(textsIn("en").t, error);
  if (faults)
    return Object.entries(faults)
      .map(([name, text]) => `${name}: ${text}`)
      .join(" ");
  if (!(error instanceof NotFound && error.message === new NotFound().message && running))
    return error.message.replace(/^Validation failed: /, "");
  const { args, parent } = running;
  const kind = (parent ?? running).name().replaceAll("-", " ").replace(/s$/, "");
  return args.length === 1 ? `There is no ${kind} ${args[0]}.` : `There is no such ${kind}.`;
};

/** Prints an error: one sentence where the user can fix it; others are bugs and get a stack trace. */
const report = (error: unknown): void => {
  const known = error instanceof ConfigError || error instanceof DomainError;
  if (known) console.error(`rookery: ${asTyped(sentenceOf(error))}`);
  else console.error(isOfSystem(error) ? `rookery: It failed: ${reasonOf(error)}.` : error);
};

/** Runs the command line; the exit code is 1 after any error. */
export const run = async (argv: string[]): Promise<void> => {
  try {
    await (await program(argv.slice(2))).parseAsync(argv);
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
};
