import { NotifiableEventType } from '../../../../schemas/delivery/notifications.ts';
import { getNotificationPage } from '../../../../schemas/routes/platform/contract.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError } from '../../shared/problem.ts';
import { settings } from '../../shared/settings.ts';
import { replyToReader } from './documentPage.ts';
import { notificationHelp } from './notificationHelp.ts';

export default operation(getNotificationPage, ({ parameters, header }) => {
  const { data: type } = NotifiableEventType.safeParse(parameters['type']);
  if (type === undefined) throw new ProblemError('NOT_FOUND', 'There is no such notification page.');
  const { title, help, path } = notificationHelp[type];
  const curlOf = (route: string): string => `curl -H "X-API-Key: $KEY" "${settings.BASE_URL}${route}"`;
  return replyToReader(header, title, {
    type,
    title,
    help,
    read_notification: curlOf(`/api/v1/notifications?type=${type}`),
    read_subject: curlOf(path),
    reference: `${settings.BASE_URL}/openapi.json`,
  });
});
