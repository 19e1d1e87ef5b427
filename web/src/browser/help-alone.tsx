// Shows the list of keys on a page that the server has drawn, which has nothing else of the client.

import { render } from "preact";
import { AppProvider } from "../app.ts";
import type { App } from "../app.ts";
import { loadTexts, withTexts } from "../texts/texts.ts";
import { KeyHelp } from "../views/key-help.tsx";

export const showHelp = async (): Promise<void> => {
  const t = await withTexts(loadTexts());
  const place = document.body.appendChild(document.createElement("div"));
  const close = (): void => {
    render(null, place);
    place.remove();
  };
  render(
    <AppProvider value={{ t } as App}>
      <KeyHelp onClose={close} />
    </AppProvider>,
    place,
  );
};
