import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import * as z from 'zod';
import { readBody } from '../../http/requestBody.ts';
import { faultPage, PAGE_HEADERS, signInPage } from './oidcPages.ts';
import type { UserDirectory } from './oidcUsers.ts';

const Form = z.object({
  email: z.string().default(''),
  password: z.string().default(''),
  /** The address of a demo user. */
  demo: z.string().optional(),
});
const LoginHint = z.string().catch('');

/** Shows the sign-in form of an interaction, checks the submitted credentials, and redirects after success. */
export const signInForm =
  (provider: Provider, users: UserDirectory) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const show = (status: number, html: string): void => {
      response.writeHead(status, PAGE_HEADERS).end(html);
    };
    const interaction = await provider.interactionDetails(request, response).catch(ignoreUnknown);
    if (!interaction) {
      return show(400, faultPage('This sign-in has expired. Return to the application and sign in again.'));
    }
    if (request.method !== 'POST') {
      const email = LoginHint.parse(interaction.params['login_hint']);
      return show(200, signInPage({ email, failed: false, demoUsers: users.demoUsers() }));
    }
    const body = await readBody(request);
    const { email, password, demo } = Form.parse(Object.fromEntries(new URLSearchParams(body?.toString())));
    const user = demo === undefined ? await users.authenticate(email, password) : users.findDemoUser(demo);
    if (!user) return show(401, signInPage({ email, failed: true, demoUsers: users.demoUsers() }));
    await provider.interactionFinished(request, response, { login: { accountId: user.id } });
  };

/** Treats an interaction that has ended, or that belongs to another browser, as missing. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof errors.SessionNotFound)) throw error;
}
