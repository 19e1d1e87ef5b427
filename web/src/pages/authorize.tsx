// The pages to which other servers send members of this one to act (the subscribe template of WebFinger), and share
// buttons send them to post.

import type { Search } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { InputField } from "../elements/fields.tsx";
import { RefusedHere, refusedBy } from "../elements/refusable.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { profilePath } from "../elements/names.tsx";
import { postPath } from "../views/shown-status.ts";
import { Redirect } from "./page.ts";
import type { AnyPage, Loading, Page } from "./page.ts";

type Lookup = { uri: string };

/** Returns the page here for an address, an `acct:` address or a handle; null if it is unknown. */
const findPath = async ({ get }: Loading, uri: string): Promise<string | null> => {
  const q = uri.trim().replace(/^acct:(?:\/\/)?/i, "");
  const isNamed = /^https?:\/\/|@/i.test(q) && q.length <= 2048;
  if (!isNamed) return null;
  const { body } = await get<Search>("/api/v2/search", { q, resolve: true, limit: 1 });
  const [status] = body.statuses;
  const [account] = body.accounts;
  if (status && /^https?:/i.test(q)) return postPath(status.reblog ?? status);
  return account ? profilePath(account) : null;
};

const authorize: Page<Lookup> = {
  path: "/authorize_interaction",
  isForMembers: true,
  load: async (loading) => {
    const { uri = "" } = loading.place.query;
    const path = await findPath(loading, uri);
    if (path) throw new Redirect(path);
    return { uri };
  },
  View: ({ data }) => {
    const { t, place } = useApp();
    const isEmpty = place.query["uri"] === "";
    const fault = isEmpty ? { uri: t("invalid.blank") } : undefined;
    return (
      <>
        <ColumnHead title={t(data.uri ? "find.missing_title" : "find.title")} />
        <section class="prose">
          {data.uri && <p>{t("find.missing")}</p>}
          <form class="field-form" method="get" action="/authorize_interaction" noValidate>
            <RefusedHere.Provider value={refusedBy("", fault)}>
              <InputField
                name="uri"
                label={t("find.label")}
                hint={t("find.hint")}
                value={data.uri}
                required
                isExact
              />
            </RefusedHere.Provider>
            <button class="button">{t("find.go")}</button>
          </form>
        </section>
      </>
    );
  },
  head: ({ uri }, { t }) => ({
    title: t(uri ? "find.missing_title" : "find.title"),
    isHidden: true,
    status: uri ? 404 : 200,
  }),
};

/** Joins title, text and address, each once. */
const sharedText = (parts: readonly (string | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? "")
    .filter(
      (part, at, all) => part !== "" && !all.slice(0, at).some((other) => other.includes(part)),
    )
    .join(" ");

const share: Page<null> = {
  path: "/share",
  isForMembers: true,
  load: async ({ place }) => {
    const { title, text, url } = place.query;
    throw new Redirect(`/compose?${new URLSearchParams({ text: sharedText([title, text, url]) })}`);
  },
  View: () => null,
  head: () => ({ title: "" }),
};

export const authorizePages: AnyPage[] = [authorize, share];
