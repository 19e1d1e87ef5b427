// Draws a page: the server draws it into a document, the browser into the same elements.

import type { Snapshot } from "../store/store.ts";
import { AppProvider } from "../app.ts";
import type { App, Place, Site } from "../app.ts";
import type { Account, CredentialAccount } from "../api/entities.ts";
import type { Look } from "../look.ts";
import type { AnyPage } from "./page.ts";
import { FaultView } from "../views/fault.tsx";
import type { Fault } from "../text/fault.ts";
import { Frame } from "../views/frame.tsx";

/** The state that the browser needs to continue from what the server drew. */
export type PageState = {
  site: Site;
  me: CredentialAccount | null;
  others: readonly Account[];
  linked: readonly string[];
  isAuthor: boolean;
  locale: string;
  look: Look;
  formToken: string;
  place: Place;
  snapshot: Snapshot;
  data: unknown;
  fault: Fault | null;
};

export const Root = ({
  app,
  page,
  data,
  fault,
}: {
  app: App;
  page: AnyPage | null;
  data: unknown;
  fault: Fault | null;
}) => (
  <AppProvider value={app}>
    <Frame menu={page?.Menu && !fault && <page.Menu />}>
      {page && !fault ? (
        <page.View data={data} />
      ) : (
        <FaultView fault={fault ?? { status: 404, message: "" }} />
      )}
    </Frame>
  </AppProvider>
);
