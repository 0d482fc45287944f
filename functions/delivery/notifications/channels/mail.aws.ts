import type { SendMail } from './mailTransport.ts';

/** Sends mail through Amazon SES. */
export const sendMail: SendMail = async ({ from, to, raw }) => {
  const { ses, SendEmailCommand } = await import('../../../platform/shared/aws/ses.client.ts');
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Raw: { Data: raw } },
    }),
  );
};
