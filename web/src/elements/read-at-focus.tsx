// Words about a field that change while one writes (docs/design/keys-and-ears.md). They are read where the field gets the
// focus, not at each letter.

import { useEffect, useRef, useState } from "preact/hooks";

/** What describes a field has this, or has its id. */
export const ReadAtFocus = ({ id, words }: { id?: string; words: string }) => {
  const [read, setRead] = useState(words);
  const latest = useRef(words);
  latest.current = words;
  useEffect(() => {
    const onLeave = (): void => setRead(latest.current);
    document.addEventListener("focusout", onLeave);
    return () => document.removeEventListener("focusout", onLeave);
  }, []);
  return (
    <span class="invisible" id={id}>
      {read}
    </span>
  );
};
