import { ProblemError } from '../../shared/problem.ts';

/** The errors of RFC 6749 §5.2. */
type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/**
 * A refusal of an OAuth endpoint: a problem that OAuth clients read as an RFC 6749 §5.2 error.
 * A 401 names the scheme to authenticate with, however the client tried (RFC 9110 §15.5.2).
 */
export const tokenError = (error: TokenErrorCode, description: string): ProblemError =>
  new ProblemError(error === 'invalid_client' ? 'INVALID_CREDENTIALS' : 'INVALID_REQUEST', description, {
    members: { error, error_description: description },
    headers: error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  });

/** What an OAuth client posts. */
export type Form = ReadonlyMap<string, string>;

/** Reads a form strictly: a repeated parameter is refused (RFC 6749 §3.2), since readers disagree on which one counts. */
export const readForm = (text: string): Form => {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw tokenError('invalid_request', 'A parameter is repeated.');
    form.set(name, value);
  }
  return form;
};

/** A parameter that has to be there; one without a value is not (RFC 6749 §3.2). Throws invalid_request. */
export const requireParameter = (form: Form, name: string): string => {
  const value = form.get(name) ?? '';
  if (value === '') throw tokenError('invalid_request', `${name} is required.`);
  return value;
};
