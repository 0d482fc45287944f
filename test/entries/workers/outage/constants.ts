/** The delay of production. */
export const ROLLUPS_DELAY_SECONDS = 30;
export const SQS_URL = 'https://sqs.example/';
