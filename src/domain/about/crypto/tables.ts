// Row types of the crypto slice.

export type DeviceRow = {
  id: string;
  account_id: string;
  device_id: string;
  name: string;
  fingerprint_key: string;
  identity_key: string;
};

export type OneTimeKey = { key_id: string; key: string; signature: string };

/** A claimed key and its device. */
export type ClaimedKey = OneTimeKey & { account_id: string; device_id: string };

export type MessageRow = {
  id: string;
  from_account_id: string;
  from_device_id: string;
  type: number;
  body: string;
  digest: string;
  message_franking: string;
};

/** One message from a device to another. */
export type NewMessage = {
  account_id: string;
  device_id: string;
  type: number;
  body: string;
  hmac: string;
  franking: string;
};
