// Lists accounts for the staff, with filters and orders, and acts on several of them at once.

import type { App } from "../../platform/app.ts";
import { BadRequest } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { accountFilter } from "../../domain/staff/moderation/account-filter.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { listAccountsInOrder, MAX_ORDERED, ORDERS } from "../../domain/staff/moderation/load.ts";
import type { AccountList, ListedAccount, Order } from "../../domain/staff/moderation/load.ts";
import type { BulkActName } from "../../domain/staff/moderation/bulk-acts.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { dayText } from "../../domain/people/users/pages/when.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT, TICK } from "./keys.ts";
import { empty, face, personName, select, stateBadges } from "./components.ts";
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

const filters = ({ t }: Staff, fields: Fields): Html => {
  const choose = (name: string, label: Key, options: readonly Option[]) =>
    select(
      name,
      t(label),
      options.map(([value, key]) => ({ value, label: t(key) })),
      fields[name],
    );
  return html`<form method="get" action="${ACCOUNTS}" role="search">
    <div class="filters">
      ${choose("origin", "moderation.accounts.where", ORIGINS)}
      ${choose("status", "moderation.accounts.state", STATES)}
      ${choose("permissions", "moderation.accounts.role", STAFF)}
      ${TEXTS.map(([name, label]) =>
        inputField({
          name,
          label: t(label),
          value: fields[name] ?? "",
          optional: true,
          maxlength: 300,
        }),
      )}
      ${choose("order", "moderation.accounts.order", ORDER_OPTIONS)}
      <button class="button">${t("moderation.accounts.search")}</button>
    </div>
  </form>`;
};

const pageNumber = ({ page }: Fields): number => Math.min(Math.max(Number(page) || 1, 1), 10_000);

/** Finds accounts; an invalid filter finds nothing, and says why. */
const findAccounts = async (
  { app, t }: Staff,
  fields: Fields,
): Promise<AccountList & { problem?: string }> => {
  try {
    const offset = (pageNumber(fields) - 1) * LIMIT;
    const listing = { ...orderOf(fields), offset, limit: LIMIT + 1 };
    return await listAccountsInOrder(app, accountFilter(fields), listing);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const isIp = error.message.startsWith("ip ");
    return {
      views: [],
      isCut: false,
      problem: isIp ? t("moderation.accounts.no_ip") : error.message,
    };
  }
};

const addressWith = (fields: Fields, change: Fields): string => {
  const { done: _done, page: _page, ...rest } = fields;
  return `${ACCOUNTS}?${new URLSearchParams({ ...rest, ...change } as Record<string, string>)}`;
};

type Column = {
  label: Key;
  /** Order of a column by which the list can be sorted. */
  order?: Order;
  cell: (staff: Staff, view: ListedAccount) => HtmlValue;
};

const day = ({ language }: Staff, at: Date | null): HtmlValue =>
  at ? dayText(at.toISOString().slice(0, 10), language) : "–";

const person = ({ app }: Staff, { account }: ListedAccount): Html => {
  const { site } = app.config;
  return html`<a class="who" data-open href="${ACCOUNTS}/${account.id}">
    ${face(site, account)}
    <span><strong>${personName(account)}</strong> <span>@${acct(account)}</span></span>
  </a>`;
};

const reportsCell = ({ t }: Staff, view: ListedAccount): HtmlValue => {
  const { account, reports, open_reports: open } = view;
  if (reports === 0) return "0";
  return html`<a href="${ACCOUNTS}/${account.id}#reports">${reports}</a>
    ${open > 0 && html`<span class="badge bad">${t("moderation.accounts.open", { count: open })}</span>`}`;
};

/** Allows a line break before the server's name. */
const addressText = (email: string): HtmlValue => {
  const at = email.lastIndexOf("@");
  return at < 0 ? email : html`${email.slice(0, at)}<wbr />${email.slice(at)}`;
};

const COLUMNS: readonly Column[] = [
  { label: "moderation.accounts.account", order: "name", cell: person },
  {
    label: "moderation.accounts.role_and_state",
    cell: (staff, view) => {
      const badges = stateBadges(staff, view);
      return badges.length > 0 ? badges : staff.t("moderation.accounts.active");
    },
  },
  { label: "moderation.email", cell: (_staff, { user }) => addressText(user?.email ?? "–") },
  {
    label: "moderation.accounts.joined",
    order: "joined",
    cell: (staff, { account }) => day(staff, account.created_at),
  },
  {
    label: "moderation.accounts.last_active",
    order: "active",
    cell: (staff, view) => day(staff, view.last_active_at ?? view.account.last_status_at),
  },
  {
    label: "moderation.posts",
    order: "posts",
    cell: (_staff, { account }) =>
      html`<a href="${ACCOUNTS}/${account.id}/posts">${account.statuses_count}</a>`,
  },
  { label: "moderation.accounts.reports", order: "reports", cell: reportsCell },
];

/** Draws a column's head, a link that sorts by it or reverses the order. */
const head = ({ t }: Staff, fields: Fields, { label, order }: Column): Html => {
  const chosen = orderOf(fields);
  const isHere = order === chosen.order;
  if (!order) return html`<th scope="col" role="columnheader">${t(label)}</th>`;
  const isAscending = (order === "name") !== chosen.reverse;
  const next = isHere && !chosen.reverse ? `-${order}` : order;
  return html`<th
    scope="col"
    role="columnheader"
    ${isHere && html`aria-sort="${isAscending ? "ascending" : "descending"}"`}
  >
    <a href="${addressWith(fields, { order: next })}"
      >${t(label)} ${isHere && html`<span aria-hidden="true">${isAscending ? "↑" : "↓"}</span>`}</a
    >
  </th>`;
};

/** Draws the table. Roles are named because browsers see no table once narrow screens show it as cards. */
const table = (staff: Staff, fields: Fields, views: ListedAccount[]): Html =>
  html`<div class="accounts-box">
    <table class="accounts" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <td role="cell"></td>
          ${COLUMNS.map((column) => head(staff, fields, column))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${views.map(
          (view) =>
            html`<tr role="row" data-entry>
              <td role="cell">${accountTick(staff, view.account)}</td>
              ${COLUMNS.map(
                ({ label, cell }) =>
                  html`<td role="cell">
                    <span class="label">${staff.t(label)}</span>
                    <span>${cell(staff, view)}</span>
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

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

const pager = ({ t }: Staff, fields: Fields, areMore: boolean): HtmlValue => {
  const page = pageNumber(fields);
  if (page === 1 && !areMore) return null;
  const link = (to: number, key: Key) =>
    html`<a href="${addressWith(fields, { page: String(to) })}">${t(key)}</a>`;
  return html`<p class="pager">
    ${areMore && link(page + 1, "moderation.next_page")}
    ${page > 1 && link(page - 1, "moderation.previous_page")}
  </p>`;
};

const showAccounts = async (staff: Staff, refused?: string) => {
  const { t } = staff;
  const fields = { origin: "local", ...listQuery(staff) };
  const { views: matches, isCut, problem = refused } = await findAccounts(staff, fields);
  const views = matches.slice(0, LIMIT);
  const accounts = views.map(({ account }) => account);
  return sendAdmin(staff, {
    title: t("staff.section.accounts"),
    problem,
    done: SEVERAL_DONE,
    script: KEYS_SCRIPT,
    body: html`${filters(staff, fields)}
    ${isCut && html`<p class="soft small">${t("moderation.accounts.cut", { count: MAX_ORDERED })}</p>`}
    ${views.length === 0 ? empty(t("moderation.accounts.none")) : table(staff, fields, views)}
    ${bulkBar(staff, { path: TOGETHER, accounts, names: actsFor(staff, views) })}
    ${views.length > 0 && keyList(staff, [TICK])} ${pager(staff, fields, matches.length > LIMIT)}`,
  });
};

export const accountListPages = (pages: Server, app: App): void => {
  pages.get(ACCOUNTS, staffPage(app, ["accounts.read"], showAccounts));
  severalForm(pages, app, { path: TOGETHER, home: ACCOUNTS, show: showAccounts });
};
