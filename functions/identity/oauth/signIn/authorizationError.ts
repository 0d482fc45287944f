import type { ErrorCode } from '../../../../schemas/problems.ts';

/** The error response of a sign-in (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
export interface AuthorizationError {
  readonly error:
    | 'invalid_request'
    | 'invalid_scope'
    | 'unsupported_response_type'
    | 'request_not_supported'
    | 'request_uri_not_supported'
    | 'login_required'
    | 'access_denied'
    | 'server_error'
    | 'temporarily_unavailable';
  /** Printable ASCII without quotes and backslashes (RFC 6749 §4.1.2.1). */
  readonly description: string;
  /** The error code of the audit entry. Set if an authenticated person is refused. */
  readonly refusal?: ErrorCode;
}

export const authorizationError = (
  error: AuthorizationError['error'],
  description: string,
): AuthorizationError => ({ error, description });

export const isAuthorizationError = (outcome: object): outcome is AuthorizationError => 'error' in outcome;
