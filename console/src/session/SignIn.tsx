import { Brand } from '../shell/Brand.tsx';
import { beginSession, SIGNED_OUT_PATH } from './sessionApi.ts';

const reasons: Readonly<Record<string, string>> = {
  access_denied: 'You are not a user of any tenant here. Ask an administrator of your tenant to add you.',
  login_required: 'A new sign-in was needed, and the provider returned an older one. Sign in again.',
  temporarily_unavailable: 'The identity provider does not answer. Try again in a minute.',
};

/** What a visitor without a session sees. The form itself belongs to the identity provider. */
export const SignIn = () => {
  const parameters = new URLSearchParams(location.search);
  const error = parameters.get('sign_in_error');
  return (
    <main className="gate">
      <Brand />
      <h1>Sign in</h1>
      {error !== null && (
        <p role="alert" className="unknown">
          {reasons[error] ?? 'The sign-in failed. Try again.'}
        </p>
      )}
      {location.pathname === SIGNED_OUT_PATH && error === null && <p role="status">You are signed out.</p>}
      <p className="quiet">
        Who spent what on AI inference, with evidence. You sign in at your identity provider.
      </p>
      <button type="button" className="button primary" onClick={() => beginSession()}>
        Continue to sign-in
      </button>
    </main>
  );
};
