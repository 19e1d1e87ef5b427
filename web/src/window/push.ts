// Manages push notifications of this browser: its subscription with its push service, and the session's with our API.

import type { Instance, WebPushSubscription } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import type { Send } from "../api/send.ts";
import { KINDS } from "../store/notifications.ts";
import type { Kind } from "../store/notifications.ts";
import { pushState } from "../store/push.ts";

const PATH = "/api/v1/push/subscription";

const isSupported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Returns the session's subscription; null if it has none. */
const known = async (get: Get): Promise<WebPushSubscription | null> => {
  try {
    return (await get<WebPushSubscription>(PATH)).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
};

const registration = async (): Promise<ServiceWorkerRegistration | null> =>
  (await navigator.serviceWorker.getRegistration()) ?? null;

/** Finds out what is switched on. */
export const readPush = async (get: Get): Promise<void> => {
  if (!isSupported()) return void (pushState.value = { kind: "unsupported" });
  if (Notification.permission === "denied") return void (pushState.value = { kind: "denied" });
  const own = await (await registration())?.pushManager.getSubscription();
  const theirs = own ? await known(get) : null;
  const isOn = own && theirs?.endpoint === own.endpoint;
  pushState.value = isOn ? { kind: "on", alerts: theirs.alerts } : { kind: "off" };
};

const alertsOf = (form: HTMLFormElement): Record<string, boolean> => {
  const boxes = form.querySelectorAll<HTMLInputElement>("input[name=alert]");
  const types = [...boxes].flatMap(({ value, checked }) =>
    KINDS[value as Kind].map((type): [string, boolean] => [type, checked]),
  );
  return Object.fromEntries(types);
};

/** `isShared`: other accounts may use the browser's one subscription, too. */
type Sending = { send: Send; get: Get; isShared: boolean };

const turnOn = async ({ send, get }: Sending, alerts: Record<string, boolean>) => {
  if ((await Notification.requestPermission()) !== "granted") return readPush(get);
  const { body: instance } = await get<Instance>("/api/v2/instance");
  const { vapid } = instance.configuration as { vapid: { public_key: string } };
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: vapid.public_key };
  const subscription = await pushManager.subscribe(options);
  const { endpoint, keys } = subscription.toJSON();
  const body = { subscription: { endpoint, keys, standard: true }, data: { alerts } };
  const answer = await send<WebPushSubscription>("POST", PATH, { body });
  pushState.value = { kind: "on", alerts: answer.body.alerts };
};

const turnOff = async ({ send, isShared }: Sending) => {
  await send("DELETE", PATH);
  if (!isShared) await (await (await registration())?.pushManager.getSubscription())?.unsubscribe();
  pushState.value = { kind: "off" };
};

/** Applies the form of push notifications: on, off, or other kinds of notifications. Throws what the API refuses. */
export const takePush = async (
  sending: Sending,
  form: HTMLFormElement,
  choice: string,
): Promise<void> => {
  if (choice === "off") return turnOff(sending);
  if (pushState.value?.kind !== "on") return turnOn(sending, alertsOf(form));
  const body = { data: { alerts: alertsOf(form) } };
  const answer = await sending.send<WebPushSubscription>("PUT", PATH, { body });
  pushState.value = { kind: "on", alerts: answer.body.alerts };
};
