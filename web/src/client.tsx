// The client in the browser: it continues from what the server drew.

import "./window/storage.ts";
import { useSignal, useSignalEffect } from "@preact/signals";
import { hydrate, render } from "preact";
import { createApi } from "./api/send.ts";
import { accessToken, forgetToken } from "./api/session.ts";
import { followUsedAccount, usedElsewhere } from "./api/used-account.ts";
import { AppProvider, signInPath } from "./app.ts";
import type { App } from "./app.ts";
import { listenToCompose } from "./browser/compose.ts";
import { followAnnouncements } from "./browser/announcements.ts";
import { followSize } from "./browser/forget.ts";
import { followAges } from "./browser/freshen.ts";
import { listenToForms } from "./browser/listen.ts";
import { readChoices } from "./window/choices.ts";
import { listenToKeys } from "./window/keys.ts";
import { bindReadingKeys, isHelpOpen } from "./browser/reading-keys.ts";
import { isConnected, isOnline, isSignedOut, startLive } from "./window/live.ts";
import { followChanges } from "./browser/live-store.ts";
import { Layers } from "./browser/layers.tsx";
import { listenToMenus } from "./browser/menus.ts";
import { MessageLine } from "./elements/message.tsx";
import { say } from "./window/messages.ts";
import { followLinks, goTo } from "./browser/navigation.ts";
import { sayTitlesInOwnZone } from "./browser/own-zone.ts";
import { listenToPresses } from "./browser/press-post.ts";
import { listenToToolbars } from "./browser/toolbars.ts";
import { followScrolling } from "./browser/reads-on.ts";
import { isLoading, shown } from "./browser/shown.ts";
import { followReader } from "./window/reader.ts";
import { keptInstead, startLater } from "./browser/later.ts";
import { followUnread } from "./browser/unread.ts";
import { ComposerSheet } from "./compose/sheet.tsx";
import { findPage } from "./pages/pages.ts";
import { Root } from "./pages/root.tsx";
import type { PageState } from "./pages/root.tsx";
import { createStore } from "./store/store.ts";
import "./styles/main.css";
import type { Elsewhere } from "./views/elsewhere.tsx";
import type { KeyHelp } from "./views/key-help.tsx";
import { loadTexts, withTexts } from "./texts/texts.ts";
import { OfflineNote } from "./views/offline-note.tsx";
import { OFFLINE_PATH } from "./worker/names.ts";

type Base = { base: Omit<App, "place"> };

/** Draws the page apart from the rest, and only again when it is another one. */
const Page = ({ base }: Base) => {
  const { place, page, data, fault } = shown.value!;
  return <Root app={{ ...base, place }} page={page} data={data} fault={fault} />;
};

const Progress = () => <div class="progress" hidden={!isLoading.value} />;

/** Loads the list of keys when it is first opened. */
const Help = ({ base }: Base) => {
  const view = useSignal<typeof KeyHelp | null>(null);
  useSignalEffect(() => {
    if (isHelpOpen.value && !view.peek())
      void withTexts(import("./views/key-help.tsx")).then((part) => (view.value = part.KeyHelp));
  });
  const View = view.value;
  if (!View || !isHelpOpen.value) return null;
  return (
    <AppProvider value={{ ...base, place: shown.value!.place }}>
      <View onClose={() => (isHelpOpen.value = false)} />
    </AppProvider>
  );
};

/** Loads the notice when another account is used. */
const OtherAccount = ({ base }: Base) => {
  const view = useSignal<typeof Elsewhere | null>(null);
  useSignalEffect(() => {
    if (usedElsewhere.value && !view.peek())
      void withTexts(import("./views/elsewhere.tsx")).then((part) => (view.value = part.Elsewhere));
  });
  const View = view.value;
  if (!View || !usedElsewhere.value) return null;
  return (
    <AppProvider value={{ ...base, place: shown.value!.place }}>
      <View />
    </AppProvider>
  );
};

/** Says that live events do not arrive for now, and why. */
const Offline = ({ base: { t } }: Base) => {
  const isEnded = isOnline.value && isSignedOut.value;
  const why = isOnline.value ? "live.lost" : "live.offline";
  return (
    <div role="status">
      {!isConnected.value && !isEnded && <p class="offline">{t(why)}</p>}
      {!isConnected.value && isEnded && (
        <p class="offline long">
          <span>
            {t("session.ended")}{" "}
            <a href={signInPath(shown.value!.place)} target="_blank" rel="opener">
              {t("compose.sign_in")}
            </a>
          </span>
        </p>
      )}
    </div>
  );
};

/** Draws what is above any page. */
const Above = ({ base }: Base) => (
  <AppProvider value={{ ...base, place: shown.value!.place }}>
    <ComposerSheet />
  </AppProvider>
);

const Window = ({ base }: Base) => (
  <>
    <Page base={base} />
    <Layers base={base} />
    <Help base={base} />
    <OtherAccount base={base} />
    <Offline base={base} />
    <Above base={base} />
    <Progress />
    <MessageLine base={base} />
    <OfflineNote t={base.t} locale={base.locale} />
  </>
);

/** The worker shows the offline page; a page that only says what failed may have been drawn without asking who asks. */
const tellsWhoIsSignedIn = ({ place, me, fault }: PageState): boolean =>
  place.path !== OFFLINE_PATH && (me !== null || fault === null);

/** Starts without a top-level await: a page's own file imports this one, and would deadlock. */
const start = async (): Promise<void> => {
  const drawn = JSON.parse(document.querySelector("#state")!.textContent) as PageState;
  const kept = await keptInstead(drawn.place.path);
  /** The state is what the server drew or, where it could not be reached, what was kept. */
  const state: PageState = kept
    ? { ...kept, formToken: "", others: [], linked: [], fault: null }
    : drawn;
  const { site, me, others, linked, isAuthor, locale, look, formToken } = state;
  const store = createStore(state.snapshot);
  const api = createApi(me ? formToken : null);
  const t = await loadTexts();
  const base: Base["base"] = {
    site,
    me,
    others,
    linked,
    isAuthor,
    locale,
    look,
    t,
    store,
    formToken,
    ...api,
  };
  const page = findPage(state.place.path, me !== null)?.page ?? null;
  await page?.ready?.();
  shown.value = { place: state.place, page, data: state.data, fault: state.fault };
  const root = document.querySelector("#app")!;
  if (kept) {
    root.replaceChildren();
    render(<Window base={base} />, root);
  } else {
    // The page of a refused form has no scripts: the next document says what sending it again has done.
    const said = root.querySelector(".notice[role=status]")?.textContent;
    hydrate(<Window base={base} />, root);
    sayTitlesInOwnZone(locale);
    if (said) say(said);
  }
  listenToCompose();
  listenToMenus(base);
  followLinks(base);
  listenToPresses();
  listenToToolbars();
  listenToForms({
    send: api.send,
    store,
    isShared: others.length > 0,
    t,
    goTo: (path) => void goTo(base, new URL(path, location.href)),
  });
  followReader();
  followScrolling();
  bindReadingKeys(base);
  listenToKeys(() => say(t("keys.choose")));
  startLater(base, tellsWhoIsSignedIn(drawn));
  if (me && !kept) {
    followUsedAccount(me);
    followChanges({ get: api.get, store });
    followSize(store);
    followAges({ get: api.get, store });
    readChoices(me.id);
    followAnnouncements(api.get);
    followUnread({ send: api.send, get: api.get, store, me });
    startLive({ origin: site.streaming, token: () => accessToken(formToken), forgetToken });
  }
};

void start();
