// A field for the avatar or header of a profile: with scripts the picture is cut to its shape before it is sent.

import { useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Labelled, useField } from "./fields.tsx";

const SHAPES = { avatar: { width: 400, height: 400 }, header: { width: 1500, height: 500 } };

export const PictureInput = ({
  kind,
  src,
  alt,
}: {
  kind: keyof typeof SHAPES;
  /** Address of the present picture. */
  src: string;
  alt: string;
}) => {
  const { t } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const { id, fault: refusal, attributes } = useField({ name: kind });
  const [isBroken, setBroken] = useState(false);
  const fault = isBroken ? t("settings.picture_broken") : refusal;
  const [chosen, setChosen] = useState<string | null>(null);
  const cut = async (): Promise<void> => {
    const [file] = input.current?.files ?? [];
    setBroken(false);
    if (!file || file.type === "image/gif") return;
    const { cropPicture } = await import("../window/crop.ts");
    const words = {
      title: t("settings.crop"),
      zoom: t("settings.crop_zoom"),
      done: t("settings.crop_done"),
      cancel: t("settings.crop_cancel"),
    };
    const cropped = await cropPicture(file, SHAPES[kind], words).catch(() => {
      setBroken(true);
      if (input.current) input.current.value = "";
      return null;
    });
    if (!cropped || !input.current) return;
    const files = new DataTransfer();
    files.items.add(cropped);
    input.current.files = files.files;
    setChosen(URL.createObjectURL(cropped));
  };
  const shown = chosen ?? src;
  return (
    <>
      {shown && <img class={`edited-${kind}`} src={shown} alt={alt} />}
      <Labelled class="settings-field" id={id} label={t("settings.picture_choose")} fault={fault}>
        <input
          ref={input}
          id={id}
          {...attributes}
          {...(isBroken && { "aria-invalid": true, "aria-describedby": `${id}-fault` })}
          type="file"
          name={kind}
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={() => void cut()}
        />
      </Labelled>
    </>
  );
};
