/** Shorter ids are not unique: small servers number their responses, and start again at each restart. */
const LENGTH_MINIMUM = 16;

/** Whether a response id of a provider identifies its call. */
export const isUnique = (responseId: string | undefined): responseId is string =>
  responseId !== undefined && responseId.length >= LENGTH_MINIMUM;

/** A UUID-shaped id from texts that together identify a call. */
export const eventIdFrom = async (...parts: readonly string[]): Promise<string> => {
  const text = ['otlp', ...parts].map((part) => `${part.length}:${part}`).join('');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
};

/**
 * The event id of a call from the provider's response id. The service derives the same one from OpenTelemetry spans and the
 * logs of gateways, so a call that several observers see makes one record.
 */
export const eventIdOf = (responseId: string): Promise<string> => eventIdFrom('response', responseId);
