import { type Client, createClient } from '../../typescript/src/index.ts';
import { baseUrlOf as checkedBaseUrl } from '../../typescript/src/url.ts';
import { NotLoggedIn, UsageError } from './faults.ts';
import { readProfiles } from './profiles.ts';
import { accessToken } from './tokens.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The base URL in one spelling, by which its credential is stored. */
const normalizeBaseUrl = (text: string): string => {
  if (!URL.canParse(text)) throw new UsageError(`The base URL must be an https URL: ${text}`);
  return checkedBaseUrl(text);
};

/** The option wins over the environment, and the environment over the last login. */
export const baseUrlOf = (env: Environment, option: string | undefined): string => {
  const given = option ?? (env['ATTRIBUTION_BASE_URL'] || undefined);
  const baseUrl = given === undefined ? readProfiles(env).current : normalizeBaseUrl(given);
  if (baseUrl !== null) return baseUrl;
  throw new NotLoggedIn(
    'No service is known. Run `attribution login --base-url URL`, or set ATTRIBUTION_BASE_URL.',
  );
};

/** A client with the credential of the environment, or of the login at this service. */
export const connect = (env: Environment, baseUrlOption: string | undefined): Client => {
  const baseUrl = baseUrlOf(env, baseUrlOption);
  const apiKey = env['ATTRIBUTION_API_KEY'] || undefined;
  if (apiKey !== undefined) return createClient({ baseUrl, credential: { apiKey } });
  const stored = readProfiles(env).services[baseUrl];
  if (stored === undefined)
    throw new NotLoggedIn(
      `Not logged in at ${baseUrl}. Run \`attribution login --base-url ${baseUrl}\`, or set ATTRIBUTION_API_KEY.`,
    );
  const credential =
    'api_key' in stored ? { apiKey: stored.api_key } : { token: () => accessToken(env, baseUrl, Date.now) };
  return createClient({ baseUrl, credential });
};
