// Lists accounts for the staff, with filters and orders, and acts on several of them at once.

import type { Column, Field, Inline, Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { BadRequest } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import type { Key } from "../../platform/text/texts.ts";
import { accountFilter } from "../../domain/staff/moderation/account-filter.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { listAccountsInOrder, MAX_ORDERED, ORDERS } from "../../domain/staff/moderation/load.ts";
import type { AccountList, ListedAccount, Order } from "../../domain/staff/moderation/load.ts";
import type { BulkActName } from "../../domain/staff/moderation/bulk-acts.ts";
import { accountOf, stateBadges } from "./people.ts";
import { text } from "./page-parts.ts";
import { sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT, TICK } from "./keys.ts";
import { listQuery, bulkBar, accountTick } from "./bulk-bar.ts";
import { SEVERAL_DONE, severalForm } from "./bulk-form.ts";

const LIMIT = 40;
const ACCOUNTS = "/admin/accounts";
const TOGETHER = `${ACCOUNTS}/several`;

type Fields = Partial<Record<string, string>>;
type Option = readonly [string, Key];

const ORIGINS: readonly Option[] = [
  ["", "moderation.accounts.everywhere"],
  ["local", "moderation.accounts.here"],
  ["remote", "moderation.accounts.elsewhere"],
];
const STATES: readonly Option[] = [
  ["", "moderation.accounts.any"],
  ["active", "moderation.accounts.active"],
  ["pending", "staff.state.unapproved"],
  ["disabled", "staff.state.frozen"],
  ["silenced", "staff.state.limited"],
  ["suspended", "staff.state.suspended"],
  ["sensitized", "staff.state.sensitive"],
];
const STAFF: readonly Option[] = [
  ["", "moderation.accounts.everybody"],
  ["staff", "moderation.accounts.staff"],
];

const TEXTS = [
  ["username", "moderation.accounts.username"],
  ["display_name", "moderation.accounts.display_name"],
  ["email", "moderation.email"],
  ["ip", "moderation.ip"],
  ["by_domain", "moderation.server"],
] as const;

/** Parses the order; a minus before it reverses it. */
const orderOf = ({ order = "" }: Fields): { order: Order; reverse: boolean } => ({
  order: ORDERS.find((known) => known === order.replace("-", "")) ?? "joined",
  reverse: order.startsWith("-"),
});

const ORDER_OPTIONS = ORDERS.flatMap((order): Option[] => [
  [order, `moderation.accounts.order.${order}`],
  [`-${order}`, `moderation.accounts.order.${order}_up`],
]);

const choice = (name: string, label: Key, options: readonly Option[]): Field => ({
  name,
  label,
  options,
});

const [FIRST, ...OTHERS] = TEXTS.map(([name, label]) => text(name, label, 300, { optional: true }));

const FILTERS: readonly Field[] = [
  choice("origin", "moderation.accounts.where", ORIGINS),
  choice("status", "moderation.accounts.state", STATES),
  choice("permissions", "moderation.accounts.role", STAFF),
  ...OTHERS,
  choice("order", "moderation.accounts.order", ORDER_OPTIONS),
];

/** What is listed at first. */
const USUAL = { origin: "local", order: "joined" };

const pageNumber = ({ page }: Fields): number => Math.min(Math.max(Number(page) || 1, 1), 10_000);

type Found = AccountList & Pick<Staff, "refused">;

/** Finds accounts; an invalid filter finds nothing, and says why. */
const findAccounts = async ({ app, t }: Staff, fields: Fields): Promise<Found> => {
  try {
    const offset = (pageNumber(fields) - 1) * LIMIT;
    const listing = { ...orderOf(fields), offset, limit: LIMIT + 1 };
    return await listAccountsInOrder(app, accountFilter(fields), listing);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    // The message begins with the name of the parameter.
    const [name = ""] = error.message.split(" ");
    const fault = t(name === "ip" ? "moderation.accounts.no_ip" : "invalid.inclusion");
    const refused = { status: 422, problem: fault, faults: { [name]: fault } };
    return { views: [], isCut: false, refused };
  }
};

const addressWith = (fields: Fields, change: Fields): string => {
  const { done: _done, page: _page, ...rest } = fields;
  return `${ACCOUNTS}?${new URLSearchParams({ ...rest, ...change } as Record<string, string>)}`;
};

const day = (at: Date | null): Inline => (at ? { day: at } : "–");

const COLUMNS: readonly (readonly [Key, Order?])[] = [
  ["moderation.accounts.account", "name"],
  ["moderation.accounts.role_and_state"],
  ["moderation.email"],
  ["moderation.accounts.joined", "joined"],
  ["moderation.accounts.last_active", "active"],
  ["moderation.posts", "posts"],
  ["moderation.accounts.reports", "reports"],
];

const cellsOf = (staff: Staff, view: ListedAccount): Inline[] => {
  const { account, user, reports, open_reports: open } = view;
  const path = `${ACCOUNTS}/${account.id}`;
  const badges = stateBadges(view);
  return [
    { person: accountOf(staff, account), at: path },
    badges.length > 0 ? badges : staff.t("moderation.accounts.active"),
    { address: user?.email ?? "–" },
    day(account.created_at),
    day(view.last_active_at ?? account.last_status_at),
    { link: `${path}/posts`, text: account.statuses_count },
    [
      reports === 0 ? "0" : { link: `${path}#reports`, text: reports },
      open > 0 && { badge: ["moderation.accounts.open", { count: open }], kind: "bad" },
    ],
  ];
};

/** Returns a link that sorts by the column or reverses the order, and how it is sorted now. */
const sortOf = (fields: Fields, order: Order): Column["sort"] => {
  const { order: current, reverse } = orderOf(fields);
  const isHere = order === current;
  const direction = (order === "name") === reverse ? "descending" : "ascending";
  return {
    href: addressWith(fields, { order: isHere && !reverse ? `-${order}` : order }),
    direction: isHere ? direction : null,
  };
};

const table = (staff: Staff, fields: Fields, views: ListedAccount[]): Part => ({
  table: {
    kind: "accounts",
    columns: COLUMNS.map(([label, order]) => ({ label, sort: order && sortOf(fields, order) })),
    rows: views.map((view) => ({
      id: view.account.id,
      cells: cellsOf(staff, view),
      tick: accountTick(view.account),
    })),
  },
  none: "moderation.accounts.none",
});

/** Returns what may be done to accounts of the list. */
const actsFor = ({ actor }: Staff, views: ListedAccount[]): BulkActName[] => {
  const areWaiting = views.some(({ user }) => user?.approved === false);
  const offered: [boolean, BulkActName][] = [
    [areWaiting && may(actor, "accounts.approve"), "approve"],
    [areWaiting && may(actor, "accounts.reject"), "reject"],
    [may(actor, "accounts.silence"), "silence"],
    [may(actor, "accounts.suspend"), "suspend"],
  ];
  return offered.flatMap(([isOffered, name]) => (isOffered ? name : []));
};

const pager = ({ t }: Staff, fields: Fields, areMore: boolean): Part | null => {
  const page = pageNumber(fields);
  if (page === 1 && !areMore) return null;
  const link = (to: number, key: Key): Inline => ({
    link: addressWith(fields, { page: String(to) }),
    text: t(key),
  });
  return {
    links: [
      areMore && link(page + 1, "moderation.next_page"),
      page > 1 && link(page - 1, "moderation.previous_page"),
    ],
    kind: "pager",
  };
};

const showAccounts = async (staff: Staff) => {
  const { t } = staff;
  const fields = { origin: USUAL.origin, ...listQuery(staff) };
  const { views: matches, isCut, refused } = await findAccounts(staff, fields);
  const views = matches.slice(0, LIMIT);
  const accounts = views.map(({ account }) => account);
  return sendAdmin(
    { ...staff, refused: staff.refused ?? refused },
    {
      done: SEVERAL_DONE,
      script: KEYS_SCRIPT,
      parts: [
        {
          filters: {
            action: ACCOUNTS,
            fields: [FIRST],
            more: { fields: FILTERS, usual: USUAL },
            values: fields,
            submit: "moderation.accounts.search",
          },
        },
        isCut && { text: t("moderation.accounts.cut", { count: MAX_ORDERED }), isSoft: true },
        table(staff, fields, views),
        bulkBar(staff, { path: TOGETHER, accounts, names: actsFor(staff, views) }),
        views.length > 0 && keyList([TICK]),
        pager(staff, fields, matches.length > LIMIT),
      ],
    },
  );
};

export const accountListPages = (pages: Server, app: App): void => {
  pages.get(ACCOUNTS, staffPage(app, ["accounts.read"], showAccounts));
  severalForm(pages, app, { path: TOGETHER, home: ACCOUNTS, show: showAccounts });
};
