import { createHash } from 'node:crypto';
import type { DemoUser } from './oidcUsers.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { width: min(22rem, 90vw); padding: 2rem 0; }
form { display: grid; gap: 0.25rem; }
label { margin-top: 0.75rem; font-weight: 600; }
input, button { font: inherit; padding: 0.5rem 0.75rem; border: 1px solid GrayText; border-radius: 0.375rem; }
button { margin-top: 1.25rem; border-color: transparent; background: #1f4fd8; color: #fff; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid #6b8cff; outline-offset: 2px; }
button[name='demo'] { display: grid; margin-top: 0.5rem; background: Canvas; color: CanvasText; border-color: GrayText; text-align: start; }
button small { font-weight: 400; }
h2 { margin: 2rem 0 0.25rem; font-size: 1rem; }
[role='alert'] { padding: 0.5rem 0.75rem; border-left: 4px solid #c62828; background: color-mix(in srgb, #c62828 12%, Canvas); }
`;

/**
 * No resource may load, no script may run, and no site may frame a page. `form-action` is not set: browsers also apply it
 * to redirects after the form, and a sign-in redirects to the client.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** One button for each demo user, in a form of its own: the fields of the other form are required. */
const demoForm = (users: readonly DemoUser[]): string =>
  users.length === 0
    ? ''
    : `<h2 id="demo">Demo users, without a password</h2>
<form method="post" aria-labelledby="demo">
${users
  .map(
    ({ email, name }) =>
      `<button name="demo" value="${escapeHtml(email)}">${escapeHtml(name)}<small>${escapeHtml(email)}</small></button>`,
  )
  .join('\n')}
</form>`;

/**
 * The sign-in form, with the e-mail address filled in, and the demo users. `failed` adds an error that screen readers
 * announce.
 */
export const signInPage = ({
  email,
  failed,
  demoUsers,
}: {
  email: string;
  failed: boolean;
  demoUsers: readonly DemoUser[];
}): string => {
  const [onEmail, onPassword] = email === '' ? [' autofocus', ''] : ['', ' autofocus'];
  const described = failed ? ' aria-describedby="fault" aria-invalid="true"' : '';
  return page(
    'Sign in',
    `${failed ? '<p id="fault" role="alert">The e-mail address or the password is wrong.</p>' : ''}
<form method="post">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escapeHtml(email)}"${described}${onEmail}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described}${onPassword}>
<button type="submit">Sign in</button>
</form>
${demoForm(demoUsers)}
<p>This page runs on your own machine. Passwords are in <code>credentials.json</code>.</p>`,
  );
};

/** Asks whether to sign out. `form` is the empty form of the library with the id that the buttons name. */
export const signOutPage = (form: string): string =>
  page(
    'Sign out',
    `<p>You are signed out of the console. Sign out of this sign-in page too?</p>
${form}
<p><button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button></p>`,
  );

/** A page that tells the user why the sign-in stopped. */
export const faultPage = (reason: string): string =>
  page('Sign-in is not possible', `<p role="alert">${escapeHtml(reason)}</p>`);
