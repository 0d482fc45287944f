import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import { deadLetterQueue } from '../../ingest/events/deadLetter.aws.ts';

export const acceptedSend = (queue: string) => ({ accepted: acceptedQueue(queue) });
export const rejectedSend = (queue: string) => ({ deadLetters: deadLetterQueue(queue) });
