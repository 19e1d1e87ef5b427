// Lists all keys, by what they are for.

import { useApp } from "../app.ts";
import { allKeys } from "../window/keys.ts";
import type { KeyGroup } from "../window/keys.ts";
import { Sheet } from "../elements/sheet.tsx";

const GROUPS: readonly KeyGroup[] = ["posts", "go", "page"];

const Keys = ({ keys }: { keys: string }) => (
  <>
    {keys.split(" ").map((key) => (
      <kbd key={key}>{key === "Escape" ? "Esc" : key}</kbd>
    ))}
  </>
);

export const KeyHelp = ({ onClose }: { onClose(): void }) => {
  const { t } = useApp();
  const all = allKeys();
  return (
    <Sheet title={t("keys.title")} onClose={onClose} class="keys">
      {GROUPS.filter((group) => all.some((binding) => binding.group === group)).map((group) => (
        <section key={group}>
          <h3>{t(`keys.group_${group}`)}</h3>
          <dl>
            {all
              .filter((binding) => binding.group === group)
              .map(({ keys, also, text }) => (
                <div key={keys}>
                  <dt>
                    <Keys keys={keys} />
                    {also && <Keys keys={also} />}
                  </dt>
                  <dd>{t(text)}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Sheet>
  );
};
