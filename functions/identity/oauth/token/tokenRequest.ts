import { nearestName } from '../../../platform/shared/nearestName.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';

/** The error codes of RFC 6749 §5.2. */
type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/**
 * An error of an OAuth endpoint: a problem with the members of RFC 6749 §5.2. A 401 always names the authentication
 * scheme (RFC 9110 §15.5.2).
 */
export const tokenError = (
  error: TokenErrorCode,
  description: string,
  about: {
    readonly parameter?: string;
    readonly allowed?: readonly string[];
    readonly suggestion?: string | undefined;
  } = {},
): ProblemError =>
  new ProblemError(error === 'invalid_client' ? 'INVALID_CREDENTIALS' : 'INVALID_REQUEST', description, {
    members: { error, error_description: description },
    errors: [
      {
        ...(about.parameter !== undefined && { parameter: about.parameter }),
        detail: description,
        ...(about.allowed !== undefined && { allowed: [...about.allowed] }),
        ...(about.suggestion !== undefined && { suggestion: about.suggestion }),
      },
    ],
    headers: error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  });

/** The form parameters of an OAuth request. */
export type Form = ReadonlyMap<string, string>;

/**
 * Parses a form body. Throws invalid_request for a repeated parameter (RFC 6749 §3.2): parsers disagree on which one counts.
 */
export const readForm = (text: string): Form => {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name))
      throw tokenError('invalid_request', 'A parameter is repeated. Send each parameter once.');
    form.set(name, value);
  }
  return form;
};

/**
 * A required parameter. Throws invalid_request if it is missing or empty (RFC 6749 §3.2), and names the sent one that is probably
 * a misspelling of it.
 */
export const requireParameter = (form: Form, name: string): string => {
  const value = form.get(name) ?? '';
  if (value !== '') return value;
  const misspelt = form.has(name) ? undefined : nearestName(name, [...form.keys()]);
  throw tokenError('invalid_request', `${name} is required.`, {
    parameter: misspelt ?? name,
    ...(misspelt !== undefined && { suggestion: name }),
  });
};
