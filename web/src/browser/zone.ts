// The time zone of this device, for whoever has chosen none: quiet hours and the times in mails are in it.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Null where the server draws the page, which does not know it. */
export const useDeviceZone = (): string | null => {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(deviceZone()), []);
  return zone;
};

type Preferences = { time_zone?: string | null };

/** Keeps it for a new member. */
export const useZoneOfDevice = (): void => {
  const { get, send } = useApp();
  useEffect(() => {
    const keep = async (): Promise<void> => {
      const { body } = await get<Preferences>("/api/v1/preferences");
      if (!body.time_zone)
        await send("PATCH", "/api/v1/preferences", { body: { time_zone: deviceZone() } });
    };
    void keep().catch(() => {});
  }, []);
};
