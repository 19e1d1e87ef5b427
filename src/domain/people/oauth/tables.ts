// Row types of the oauth slice.

export type OAuthApp = {
  id: string;
  name: string;
  website: string | null;
  redirect_uris: string[];
  scopes: string[];
  client_id: string;
};

export type CodeRow = {
  app_id: string;
  user_id: string;
  access_id: string | null;
  redirect_uri: string;
  scopes: string[];
  code_challenge: string | null;
  expires_at: Date;
  used_at: Date | null;
};
