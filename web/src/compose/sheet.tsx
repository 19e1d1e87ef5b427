// Shows the composer above any page.

import { useEffect, useState } from "preact/hooks";
import { inTime } from "../api/request.ts";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { loadEditor, Waiting } from "./composer.tsx";
import { wordsFor } from "../text/fault.ts";
import { Sheet } from "../elements/sheet.tsx";
import { draftName } from "./draft.ts";
import type { Purpose } from "./draft.ts";
import { HeldNote } from "./held-note.tsx";
import { closeComposer, opened } from "./open.ts";
import type { Opening } from "./open.ts";

const TITLES: Record<Purpose["kind"], Key> = {
  new: "nav.compose",
  reply: "compose.reply",
  quote: "compose.quote",
  edit: "compose.edit",
  redraft: "compose.redraft",
  scheduled: "nav.compose",
  draft: "nav.compose",
};

type Loaded = Awaited<ReturnType<typeof loadEditor>>;

const Content = ({ opening }: { opening: Opening }) => {
  const app = useApp();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isHeld, setHeld] = useState(false);
  const load = (): void => {
    setFault(null);
    inTime(loadEditor(app, opening)).then(setLoaded, (error: unknown) => {
      setFault(wordsFor(app.t, error));
    });
  };
  useEffect(load, []);
  if (isHeld) return <HeldNote onLeave={closeComposer} />;
  if (loaded) {
    const text = loaded.session.draft.peek().parts[0]!.text;
    return (
      <>
        {opening.purpose.kind === "new" && <Waiting />}
        <loaded.Editor
          session={loaded.session}
          cursor={text.length}
          isApart
          onDone={(outcome) => (outcome.isHeld ? setHeld(true) : closeComposer())}
          onCancel={closeComposer}
        />
      </>
    );
  }
  return (
    <div class="sheet-wait" aria-busy={fault === null}>
      {fault !== null && (
        <>
          <p role="alert">{fault}</p>
          <button type="button" class="button plain" onClick={load}>
            {app.t("compose.retry")}
          </button>
        </>
      )}
    </div>
  );
};

export const ComposerSheet = () => {
  const { t } = useApp();
  const opening = opened.value;
  if (!opening) return null;
  return (
    <Sheet title={t(TITLES[opening.purpose.kind])} onClose={closeComposer} class="composer-sheet">
      <Content key={draftName(opening.purpose)} opening={opening} />
    </Sheet>
  );
};
