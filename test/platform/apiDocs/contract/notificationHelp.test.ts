import { expect, it } from 'vitest';
import { notificationHelp } from '../../../../functions/platform/apiDocs/contract/notificationHelp.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { getNotificationPage } from '../../../../schemas/routes/platform/contract.ts';

it.each(Object.entries(notificationHelp))(
  'the page of %s names a route that reads its subject',
  (_, { path }) => {
    expect(routes.filter(({ method }) => method === 'GET').map((route) => route.path)).toContain(path);
  },
);

it('is public, because a link in an e-mail is opened without a credential', () => {
  expect(getNotificationPage).toMatchObject({ access: 'public', needs: [] });
});
