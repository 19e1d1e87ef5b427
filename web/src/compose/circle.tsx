// Chooses the lists of people that a post for a circle is for.

import { useEffect, useState } from "preact/hooks";
import type { List } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { ListName } from "../elements/names.tsx";
import { loadLists } from "../store/named.ts";

type Lists = readonly Pick<List, "id" | "title">[];

type Props = {
  lists: Lists;
  chosen: readonly string[];
  /** Absent in a form that is sent without scripts. */
  onChange?(chosen: string[]): void;
};

export const CircleLists = ({ lists, chosen, onChange }: Props) => {
  const { t } = useApp();
  const toggle = (id: string, isOn: boolean): void =>
    onChange?.(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset class="circle-lists">
      <legend>{t("compose.circle")}</legend>
      {lists.map((list) => (
        <label key={list.id} class="tick">
          <input
            type="checkbox"
            name="list_ids[]"
            value={list.id}
            defaultChecked={chosen.includes(list.id)}
            onChange={(event) => toggle(list.id, event.currentTarget.checked)}
          />
          <ListName list={list} />
        </label>
      ))}
      {lists.length === 0 && (
        <p class="soft">
          {t("compose.circle_none")} <a href="/lists">{t("lists.new")}</a>
        </p>
      )}
    </fieldset>
  );
};

/** Loads the lists when a circle is chosen. */
export const CircleChoice = (props: Required<Omit<Props, "lists">>) => {
  const app = useApp();
  const [lists, setLists] = useState<Lists | null>(null);
  useEffect(() => {
    loadLists(app).then(setLists, () => setLists([]));
  }, []);
  return lists && <CircleLists lists={lists} {...props} />;
};
