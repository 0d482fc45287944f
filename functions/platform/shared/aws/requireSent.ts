/** SQS did not take some messages of a batch, and would take them later. */
export class QueueOutageError extends Error {
  override readonly name = 'QueueOutageError';
}

/** Throws if SQS refused messages of a batch: a {@link QueueOutageError}, unless a message itself is not valid. */
export const requireSent = (failed: readonly { readonly SenderFault?: boolean | undefined }[] = []): void => {
  if (failed.length === 0) return;
  const message = `SQS rejected ${failed.length} messages of a batch`;
  throw failed.some(({ SenderFault }) => SenderFault === true)
    ? new Error(message)
    : new QueueOutageError(message);
};
