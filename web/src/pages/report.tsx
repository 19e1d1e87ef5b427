// Reports a person to the moderators: why, which rules, which posts, and whether their server is told as well.

import type { Instance, Rule, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { plainText } from "../text/parse-html.ts";
import type { Key } from "../texts/texts.ts";
import { plainName } from "../elements/names.tsx";
import { Decision } from "../elements/decision.tsx";
import { BoxField, InputField, TickField } from "../elements/fields.tsx";
import { SendForm } from "../elements/send-form.tsx";
import { Ago } from "../elements/times.tsx";
import { loadAccount } from "./profile.tsx";
import { usePerson } from "./relations.tsx";
import { sheetPage } from "./sheet-page.tsx";
import { listed } from "../../../texts/lists.ts";

type Post = { id: string; text: string; time: string };
type Report = { id: string; rules: Rule[]; posts: Post[]; chosen: string | null };

const CATEGORIES: readonly [value: string, text: Key][] = [
  ["spam", "report.spam"],
  ["legal", "report.legal"],
  ["violation", "report.violation"],
  ["other", "report.other"],
];

const postOf = (
  locale: string,
  { id, spoiler_text, content, created_at, media_attachments }: Status,
): Post => ({
  id,
  time: created_at,
  text:
    (spoiler_text || plainText(content ?? "")).slice(0, 200) ||
    listed(
      locale,
      media_attachments.map(({ description, type }) => description || type),
    ),
});

const Rules = ({ rules }: { rules: Rule[] }) => {
  const { t, locale } = useApp();
  if (rules.length === 0) return null;
  return (
    <TickField
      kind="checkbox"
      class="report-rules"
      name="rule_ids[]"
      label={t("report.rules")}
      chosen={[]}
      options={rules.map(({ id, text, translations }) => [
        id,
        translations?.[locale]?.text ?? text,
      ])}
    />
  );
};

const Posts = ({ posts, chosen }: Pick<Report, "posts" | "chosen">) => {
  const { t } = useApp();
  if (posts.length === 0) return null;
  return (
    <TickField
      kind="checkbox"
      name="status_ids[]"
      label={t("report.posts")}
      chosen={chosen === null ? [] : [chosen]}
      options={posts.map(({ id, text, time }) => [
        id,
        <span key={id}>
          <bdi>{text}</bdi>{" "}
          <span class="soft small">
            <Ago time={time} />
          </span>
        </span>,
      ])}
    />
  );
};

const Body = ({ data }: { data: Report }) => {
  const { t } = useApp();
  const { account, values, path } = usePerson(data.id);
  const domain = account.acct.split("@")[1];
  return (
    <SendForm path="reports" back={path} done={t("report.done")} class="choices report">
      <p>{t("report.text", values)}</p>
      <input type="hidden" name="account_id" value={data.id} />
      <TickField
        kind="radio"
        name="category"
        label={t("report.why")}
        chosen={[CATEGORIES[0]![0]]}
        options={CATEGORIES.map(([value, text]) => [value, t(text)])}
      />
      <Rules rules={data.rules} />
      <Posts posts={data.posts} chosen={data.chosen} />
      <InputField
        name="comment"
        label={t("report.comment")}
        type="textarea"
        rows={3}
        maxLength={1000}
      />
      {domain && (
        <BoxField
          name="forward"
          value="true"
          label={t("report.forward", { domain })}
          isOn={false}
          class="tick"
        />
      )}
      <Decision back={path}>{t("report.send")}</Decision>
    </SendForm>
  );
};

export const reportPage = sheetPage<Report>({
  path: "/@:acct/report",
  load: async (loading) => {
    const { get, place, locale } = loading;
    const { id } = await loadAccount(loading);
    const chosen = place.query["status"] ?? null;
    const [instance, recent, status] = await Promise.all([
      get<Instance>("/api/v2/instance"),
      get<Status[]>(`/api/v1/accounts/${id}/statuses`, { limit: 10, exclude_reblogs: true }),
      chosen && /^\d+$/.test(chosen) ? get<Status>(`/api/v1/statuses/${chosen}`) : null,
    ]);
    const first = status && status.body.account.id === id ? [status.body] : [];
    const others = recent.body.filter((status) => status.id !== chosen);
    return {
      id,
      rules: instance.body.rules,
      posts: [...first, ...others].map((post) => postOf(locale, post)),
      chosen,
    };
  },
  title: ({ id }, { t, store }) =>
    t("report.title", { name: plainName(store.accounts.get(id)!.value) }),
  Body,
});
