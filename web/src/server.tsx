// The part of the client that the server loads: `renderPage` draws documents from responses of the API, other functions
// draw documents without the client: posts in frames on other pages, and errors while the API must not be asked.

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Account, CredentialAccount, Instance } from "./api/entities.ts";
import { ApiError } from "./api/get.ts";
import { drawWith } from "./app.ts";
import type { App, Place } from "./app.ts";
import { documentOf } from "./document.tsx";
import { keeping } from "./kept-posts.ts";
import { UNREAD_PATH } from "./store/notifications.ts";
import { Pieces } from "./pieces.ts";
import { embed } from "./pages/embed.tsx";
import { Redirect, matchPath } from "./pages/page.ts";
import type { AnyPage, Head } from "./pages/page.ts";
import { PAGES, findPage } from "./pages/pages.ts";
import type { Match } from "./pages/pages.ts";
import { Root } from "./pages/root.tsx";
import { stateText } from "./state-text.ts";
import { siteOf, unknownSite } from "./site.ts";
import { countForGroups, countForStaff } from "./store/waiting.ts";
import { createStore } from "./store/store.ts";
import { FaultView } from "./views/fault.tsx";
import { faultTitle, shownFault } from "./text/fault.ts";
import { SendAgain } from "./views/send-again.tsx";
import { BareFrame, Frame } from "./views/frame.tsx";
import { ServersBody, SettingsMenu } from "./views/settings-menu.tsx";
import { StaffBody, StaffMenuBeside } from "./served/staff-menu.tsx";
import type { BareRequest, Fault, PageRequest, Rendered, ServersPage } from "./served/pages.ts";
import { ServedProvider } from "./served/served.tsx";
import { ServedParts } from "./served/parts.tsx";

export { answerIn } from "./answers.ts";
export { withParams } from "./api/get.ts";

/** Paths of every page, as in `pages.ts`. */
export const pagePaths: readonly string[] = PAGES.map(({ path }) => path);

const placeOf = (url: string, params: Record<string, string>): Place => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  return { path: pathname, params, query: Object.fromEntries(searchParams) };
};

type Asked = Omit<PageRequest, "fault">;

/** Makes what every view of a page can reach. */
const startApp = async (
  request: Asked,
  match: Match | null,
  pieces: Pieces | null = null,
): Promise<App> => {
  const { get, isMember, formToken, others: ids, url, look, kept } = request;
  const store = createStore();
  const [{ body: instance }, me, unread, others] = await Promise.all([
    get<Instance>("/api/v2/instance"),
    isMember ? get<CredentialAccount>("/api/v1/accounts/verify_credentials") : null,
    isMember ? get<{ count: number }>(UNREAD_PATH) : null,
    ids.length > 0 ? get<Account[]>("/api/v1/accounts", { id: ids }) : null,
    isMember ? countForGroups({ get, store }) : null,
  ]);
  store.unread.value = unread?.body.count ?? 0;
  await countForStaff({ get, store, me: me?.body ?? null });
  const app: App = {
    site: siteOf(instance),
    me: me?.body ?? null,
    others: others?.body ?? [],
    linked: request.linked,
    isAuthor: request.isAuthor,
    locale: request.texts.language,
    look,
    t: request.texts.t,
    store,
    place: placeOf(url, match?.params ?? {}),
    formToken,
    get,
    send: () => Promise.reject(new Error("a page only reads while it is drawn")),
    ...(request.refused && { refused: request.refused }),
    ...(request.said && { said: request.said }),
  };
  return kept && pieces ? { ...app, keep: keeping(app, { kept, pieces }) } : app;
};

type Drawn = {
  app: App;
  pieces: Pieces;
  page: AnyPage | null;
  data: unknown;
  head: Head;
  fault: Fault | null;
};

const draw = (app: App, view: VNode): string => drawWith(app, () => renderToString(view));

/** Draws the whole document, which the client continues from. */
const finish = ({ app, pieces, page, data, head, fault }: Drawn, request: Asked): Rendered => {
  const { origin, refused } = request;
  const { site, me, others, linked, isAuthor, locale, look, formToken, place, store } = app;
  const body = draw(app, <Root app={app} page={page} data={data} fault={fault} />);
  const state = {
    site,
    me,
    others,
    linked,
    isAuthor,
    locale,
    look,
    formToken,
    place,
    data,
    fault,
  };
  const html = documentOf({
    app,
    head,
    body,
    isLazy: page?.ready !== undefined,
    // A refused form came without scripts, so the page stays as it is drawn.
    state: refused === undefined ? stateText(store, state, pieces) : null,
    origin,
  });
  const status = fault?.status ?? head.status ?? 200;
  return { kind: "document", status, parts: pieces.partsOf(html), siteTitle: site.title };
};

const drawFault = (app: App, pieces: Pieces, request: Asked, fault: Fault): Rendered => {
  const head: Head = { title: faultTitle(app.t, fault), isHidden: true };
  const shown = shownFault(fault);
  return finish({ app, pieces, page: null, data: null, head, fault: shown }, request);
};

const render = async (request: PageRequest): Promise<Rendered> => {
  const { url, origin, isMember, get, fault } = request;
  const match = findPage(new URL(url, origin).pathname, isMember);
  const pieces = new Pieces();
  const app = await startApp(request, fault ? null : match, pieces);
  if (fault) return drawFault(app, pieces, request, fault);
  if (!match) throw new ApiError(404, "");
  const { page } = match;
  if (page.isForMembers && !app.me)
    throw new Redirect(`/auth/sign_in?${new URLSearchParams({ return_to: url })}`);
  const { t, locale, store, site, place, me } = app;
  const data = await page.load({ get, store, place, locale, me, site });
  const head = page.head(data, { t, store, site, place });
  return finish({ app, pieces, page, data, head, fault: null }, request);
};

/** Draws the document of an address, or returns a redirect. Throws ApiError where the API has no page to show. */
export const renderPage = async (request: PageRequest): Promise<Rendered> => {
  try {
    return await render(request);
  } catch (error) {
    if (error instanceof Redirect) return { kind: "redirect", to: error.to };
    throw error;
  }
};

/** Draws a post for frames on other pages: without scripts, and with links that open outside of the frame. */
export const renderEmbed = async (request: Asked): Promise<string> => {
  const params = matchPath(embed.path, new URL(request.url, request.origin).pathname);
  if (!params) throw new ApiError(404, "");
  const app = await startApp(request, { page: embed, params });
  const { get, locale, store, place, site, t } = app;
  const data = await embed.load({ get, store, place, locale, me: null, site });
  const head = embed.head(data, { t, store, site, place });
  const body = draw(app, <embed.View data={data} />);
  const { origin } = request;
  return documentOf({ app, head, body, state: null, origin, isFramed: true });
};

const ServersView = ({ app, page }: { app: App; page: ServersPage }) => {
  const { title, back, staff, isCard } = page;
  if (isCard)
    return (
      <BareFrame>
        <section class="card servers-page">
          <h1>{title}</h1>
          <ServedParts />
        </section>
      </BareFrame>
    );
  if (!staff)
    return (
      <Frame menu={app.me && <SettingsMenu />}>
        <ServersBody title={title} back={back}>
          <ServedParts />
        </ServersBody>
      </Frame>
    );
  const { menu } = staff;
  return (
    <Frame menu={<StaffMenuBeside menu={menu} />}>
      <StaffBody title={title} menu={menu} back={staff.back}>
        <ServedParts />
      </StaffBody>
    </Frame>
  );
};

/** Draws a page of the server: in the frame of the client, or as a card. */
export const renderFramed = async (request: Asked, page: ServersPage): Promise<string> => {
  const app = await startApp(request, null);
  const body = draw(
    app,
    <ServedProvider value={page}>
      <ServersView app={app} page={page} />
    </ServedProvider>,
  );
  const head: Head = { title: page.title, isHidden: true };
  return documentOf({ app, head, body, state: null, origin: request.origin, files: page });
};

/** Draws an error from the given data alone: the database may be away, or a client comes too often. */
export const renderBare = async (request: BareRequest): Promise<string> => {
  const { url, origin, texts, look, siteTitle, domain, fault, again } = request;
  const { language: locale, t } = texts;
  const refuse = () => Promise.reject(new Error("nobody is asked for anything"));
  const app: App = {
    site: unknownSite(siteTitle, domain),
    me: null,
    others: [],
    linked: [],
    isAuthor: false,
    locale,
    look,
    t,
    store: createStore(),
    place: placeOf(url, {}),
    formToken: "",
    get: refuse,
    send: refuse,
  };
  const body = draw(
    app,
    <BareFrame>
      <FaultView fault={fault} />
      {again && <SendAgain {...again} />}
    </BareFrame>,
  );
  const head: Head = { title: faultTitle(t, fault), isHidden: true };
  return documentOf({ app, head, body, state: null, origin });
};
