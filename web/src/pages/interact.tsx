// Sends visitors to their own server to act on a post or person: they say where they have an account, and are taken
// there.

import { useEffect, useRef } from "preact/hooks";
import type { Account, Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { addressOf, useApp } from "../app.ts";
import { keepAccount, keepStatus } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { InputField } from "../elements/fields.tsx";
import { RefusedHere, refusedBy } from "../elements/refusable.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PersonRow, plainName, profilePath } from "../elements/names.tsx";
import { PostOf } from "../views/post.tsx";
import { postPath } from "../views/shown-status.ts";
import { Redirect } from "./page.ts";
import type { AnyPage, Loading, Page } from "./page.ts";

type Subject = { kind: "status" | "account"; id: string };
type Interact = { subject: Subject; uri: string; title: Key };

const TITLES: Record<string, Key> = {
  reply: "interact.reply",
  boost: "interact.boost",
  favourite: "interact.favourite",
  vote: "interact.vote",
  answer: "interact.answer",
  follow: "interact.follow",
};

const loadStatus = async ({ get, store, place, me }: Loading): Promise<Interact> => {
  const { body } = await get<Status>(`/api/v1/statuses/${place.params["id"]}`);
  const status = body.reblog ?? body;
  if (me) throw new Redirect(postPath(status));
  const title = TITLES[place.query["act"] ?? ""] ?? "interact.reply";
  return { subject: { kind: "status", id: keepStatus(store, status) }, uri: status.uri, title };
};

const loadAccount = async ({ get, store, place, me }: Loading): Promise<Interact> => {
  const { acct = "" } = place.query;
  if (!acct) throw new ApiError(404, "");
  const { body: account } = await get<Account>("/api/v1/accounts/lookup", { acct });
  if (account.suspended) throw new ApiError(410, "");
  if (me) throw new Redirect(profilePath(account));
  const subject: Subject = { kind: "account", id: keepAccount(store, account) };
  return { subject, uri: account.uri, title: "interact.follow" };
};

const PROBLEMS: Record<string, Key> = {
  invalid: "interact.invalid",
  unreachable: "interact.unreachable",
};

/** Key under which the browser alone stores where somebody last said that they have an account. */
const HOME = "interact-home";

const useHome = () => {
  const form = useRef<HTMLFormElement>(null);
  const field = () => form.current?.elements.namedItem("home") as HTMLInputElement | null;
  useEffect(() => {
    const input = field();
    if (input && !input.value) input.value = localStorage.getItem(HOME) ?? "";
  }, []);
  const remember = () => localStorage.setItem(HOME, field()?.value ?? "");
  return { form, remember };
};

const HomeForm = ({ uri }: { uri: string }) => {
  const { t, place } = useApp();
  const { form, remember } = useHome();
  const { problem = "", home = "" } = place.query;
  const fault = PROBLEMS[problem];
  const { problem: _problem, home: _home, ...query } = place.query;
  return (
    <form
      ref={form}
      class="field-form"
      method="post"
      action="/interact"
      noValidate
      onSubmit={remember}
    >
      <input type="hidden" name="uri" value={uri} />
      <input type="hidden" name="back" value={addressOf({ ...place, query })} />
      <RefusedHere.Provider value={refusedBy("/interact", fault && { home: t(fault) })}>
        <InputField
          name="home"
          label={t("interact.label")}
          hint={t("interact.hint")}
          value={home}
          required
          maxLength={300}
          autocomplete="off"
          inputMode="email"
          isExact
        />
      </RefusedHere.Provider>
      <button class="button">{t("interact.go")}</button>
    </form>
  );
};

const SubjectView = ({ kind, id }: Subject) => {
  const { store } = useApp();
  return (
    <div class="feed">
      {kind === "status" ? (
        <PostOf id={id} />
      ) : (
        <PersonRow account={store.accounts.get(id)!.value} />
      )}
    </div>
  );
};

const pathOf = ({ kind, id }: Subject, store: Loading["store"]): string =>
  kind === "status"
    ? postPath(store.statuses.get(id)!.value)
    : profilePath(store.accounts.get(id)!.value);

const View: Page<Interact>["View"] = ({ data }) => {
  const { store, site, t } = useApp();
  const back = new URLSearchParams({ return_to: pathOf(data.subject, store) });
  return (
    <>
      <ColumnHead title={t(data.title)} back />
      <SubjectView {...data.subject} />
      <section class="prose apart">
        <h2>{t("interact.elsewhere")}</h2>
        <p>{t("interact.lead")}</p>
        <HomeForm uri={data.uri} />
        <h2>{t("interact.here", { domain: site.domain })}</h2>
        <p class="buttons">
          <a class="button plain" href={`/auth/sign_in?${back}`}>
            {t("nav.sign_in")}
          </a>
          {site.registrations.enabled && (
            <a class="button plain" href="/auth/sign_up">
              {t("nav.sign_up")}
            </a>
          )}
        </p>
      </section>
    </>
  );
};

const nameOf = ({ kind, id }: Subject, store: Loading["store"]): string =>
  plainName(
    kind === "status" ? store.statuses.get(id)!.value.account : store.accounts.get(id)!.value,
  );

const interactPage = (path: string, load: Page<Interact>["load"]): Page<Interact> => ({
  path,
  load,
  View,
  head: ({ subject, title }, { t, store }) => ({
    title: t("words.pair", { name: t(title), value: nameOf(subject, store) }),
    isHidden: true,
  }),
});

export const interactPages: AnyPage[] = [
  interactPage("/interact/:id(\\d+)", loadStatus),
  interactPage("/interact", loadAccount),
];
