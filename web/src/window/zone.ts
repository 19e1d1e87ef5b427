// Uses the time zone of this device for members who have chosen none; quiet hours and times in mails depend on it.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns null where the server draws the page, which does not know the zone. */
export const useDeviceZone = (): string | null => {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(deviceZone()), []);
  return zone;
};

type Preferences = { time_zone?: string | null };

/** Stores the zone for a new member. */
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
