/** The words at an e-mail that was refused as all of this installation's are; the server's words are the operator's to read. */
export const refusedLikeAll =
  "The recipient's mailbox provider takes no e-mail from this service for now; whoever runs it sees why.";
