/** Keeps the room of text that is not known yet, so that the lines below do not move when it arrives. */
export const Later = ({ text, sample }: { text: string | undefined; sample: string }) =>
  text === undefined ? (
    <span className="later" aria-hidden="true">
      {sample}
    </span>
  ) : (
    text
  );
