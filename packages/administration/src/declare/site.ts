// Declares the commands for settings and texts of the server: relays, providers of sign-in, settings, rules, terms,
// announcements, emojis.

import type { Command } from "commander";
import type { Conventions } from "../uses.ts";
import { administer } from "./administer.ts";
import { groupOf } from "./group-of.ts";

const listed = (value: string, values: string[]): string[] => [...values, value];

const ssoCommands = (root: Command, json: Conventions["JSON_OPTION"]): void => {
  const sso = groupOf(root, "sso");
  sso
    .command("list")
    .description("list the providers: id, name, issuer")
    .option(...json)
    .action(administer("sso", "showProviders"));
  sso
    .command("add <name>")
    .description("try a provider of OpenID Connect, and save it where it answers")
    .requiredOption("--issuer <url>", "its issuer")
    .requiredOption("--client-id <id>", "the client that it knows this server as")
    .option("--secret-file <path>", "read the client's secret from a file, or standard input (-)")
    .option("--post", "send the secret in the form instead of a header")
    .option("--scope <scopes>", "what is asked for", "openid profile email")
    .option("--subject <claim>", "the claim that is the person", "sub")
    .option("--username-claim <claim>", "the claim that a handle is made of", "preferred_username")
    .option("--name-claim <claim>", "the claim that is the display name", "name")
    .option("--picture-claim <claim>", "the claim that is the address of a picture", "picture")
    .option("--email-claim <claim>", "the claim that is the email address", "email")
    .option("--groups-claim <claim>", "the claim that has the groups", "groups")
    .option("--group <name>", "a group that may enter; may be repeated", listed, [])
    .option("--role <group=role>", "the role of a group; may be repeated", listed, [])
    .option("--verified", "believe its email addresses even where it does not vouch for them")
    .option("--link-by-email", "link people to accounts by verified addresses")
    .option("--strong", "ask for no second factor after it")
    .option("--inside", "it is in your own network")
    .option("--no-sign-up", "let only people in who have an account")
    .action(administer("sso", "addNamed"));
  sso
    .command("try <name>")
    .description("ask a provider for what a sign-in needs")
    .action(administer("sso", "tryNamed"));
  sso
    .command("scim-token <name>")
    .description(
      "make the token by which a provider tells of its people (SCIM), and end the former",
    )
    .option("--end", "only end it")
    .action(administer("sso", "makeToken"));
  sso
    .command("remove <name>")
    .description("remove a provider and sign its people out; they keep their accounts")
    .option("--yes", "also where that signs somebody out")
    .action(administer("sso", "removeNamed"));
};

const settingCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const relays = groupOf(root, "relays");
  relays
    .command("list")
    .description("list the relays: id, state, kind, inbox")
    .option(...JSON_OPTION)
    .action(administer("relays", "showRelays"));
  relays
    .command("add <address>")
    .description("subscribe to a relay by its inbox, or by its actor (LitePub)")
    .action(administer("relays", "subscribeToRelay"));
  relays
    .command("remove <id>")
    .description("end a subscription")
    .action(administer("relays", "unsubscribeFromRelay"));
  ssoCommands(root, JSON_OPTION);
  const settings = groupOf(root, "settings");
  settings
    .command("list")
    .description("list all settings with their values")
    .option(...JSON_OPTION)
    .action(administer("settings", "listSettings"));
  settings
    .command("get <name>")
    .description("print the value of a setting")
    .action(administer("settings", "printSetting"));
  settings
    .command("set <name> [value]")
    .description("change a setting; omit the value to reset it to its default")
    .option("--file <path>", "read the value from a file, or from standard input (-)")
    .action(administer("settings", "changeSetting"));
  settings
    .command("picture <kind> [file]")
    .description("set the banner, icon or logo of the server from a file")
    .option("--remove", "use the built-in one again")
    .action(administer("settings", "changePicture"));
  settings
    .command("registrations <mode>")
    .description("who can sign up: open, approved (sign-ups are reviewed) or close")
    .action(administer("settings", "setRegistrations"));
};

const textCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const rules = groupOf(root, "rules");
  rules
    .command("list")
    .description("list all rules with their ids")
    .option(...JSON_OPTION)
    .action(administer("rules", "listRules"));
  rules
    .command("add <text>")
    .description("add a rule to the end of the list")
    .option("--hint <text>", "a longer explanation", "")
    .action(administer("rules", "addRuleCommand"));
  rules
    .command("translate <id> <language> <text>")
    .description("translate a rule into another language")
    .option("--hint <text>", "a longer explanation", "")
    .action(administer("rules", "translateCommand"));
  rules
    .command("remove <id>")
    .description("remove a rule; reports that cite it keep it")
    .action(administer("rules", "removeRuleCommand"));
  const terms = groupOf(root, "terms");
  terms
    .command("list")
    .description("list the effective dates of all versions")
    .option(...JSON_OPTION)
    .action(administer("terms", "listTerms"));
  terms
    .command("publish <date> <file>")
    .description("publish a version that takes effect on a date (2027-01-31); HTML or plain text")
    .option("--tell", "tell all members by email and by an announcement")
    .option("--past", "let it take effect on a date in the past, as a version of another server")
    .action(administer("terms", "publishCommand"));
};

const announcementCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const announcements = groupOf(root, "announcements");
  announcements
    .command("create <text>")
    .description("publish an announcement; the last line of the output is its id")
    .option("--starts-at <time>", "start of the announced event (2027-01-31T18:00Z)")
    .option("--ends-at <time>", "end of the announced event; the announcement expires then")
    .option("--all-day", "the event has dates, but no times")
    .option("--scheduled-at <time>", "publish the announcement at this time instead of now")
    .action(administer("announcements", "createCommand"));
  announcements
    .command("list")
    .description("list all announcements, newest first")
    .option(...JSON_OPTION)
    .action(administer("announcements", "listCommand"));
  announcements
    .command("remove <id>")
    .description("delete an announcement")
    .action(administer("announcements", "removeCommand"));
};

const emojiCommands = (root: Command, { JSON_OPTION }: Conventions): void => {
  const emojis = groupOf(root, "emojis");
  const more = (command: Command): Command =>
    command
      .option("--category <name>", "the group that pickers show it in")
      .option("--unlisted", "pickers do not offer it")
      .option("--overwrite", "replace the picture of an emoji with the same shortcode");
  more(emojis.command("add <shortcode> <file>"))
    .description("add a picture (PNG, GIF, WebP, AVIF or JPEG, at most 256 KiB)")
    .action(administer("emojis", "addCommand"));
  more(emojis.command("import <path>"))
    .description(
      "add all pictures of a folder, a tar or a zip; their file names become the shortcodes",
    )
    .option("--prefix <text>", "put this before each shortcode", "")
    .option("--suffix <text>", "put this after each shortcode", "")
    .action(administer("emojis", "importCommand"));
  emojis
    .command("copy <domain> <shortcodes...>")
    .description("copy emojis of another server that this one has seen, at most 20 at a time")
    .option("--category <name>", "the group that pickers show them in")
    .action(administer("emojis", "copyCommand"));
  emojis
    .command("list")
    .description("list all emojis by category")
    .option(...JSON_OPTION)
    .action(administer("emojis", "listCommand"));
  emojis
    .command("export <folder>")
    .description("write the pictures of all emojis to a folder, which import reads again")
    .action(administer("emojis", "exportCommand"));
  emojis
    .command("disable <shortcode>")
    .description("show an emoji as text, and do not offer it any more")
    .action(administer("emojis", "disableCommand", true));
  emojis
    .command("enable <shortcode>")
    .description("show a disabled emoji again")
    .action(administer("emojis", "disableCommand", false));
  emojis
    .command("category <shortcode> [name]")
    .description("put an emoji into a category; omit the name for none")
    .action(administer("emojis", "categoryCommand"));
  emojis
    .command("remove <shortcodes...>")
    .description("delete emojis")
    .action(administer("emojis", "removeCommand"));
};

export const siteCommands = (root: Command, conventions: Conventions): void => {
  settingCommands(root, conventions);
  textCommands(root, conventions);
  announcementCommands(root, conventions);
  emojiCommands(root, conventions);
};
