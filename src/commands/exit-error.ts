/** Ends the command with an exit code of its own, in place of the one of its cause. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, cause: unknown) {
    super('the command ends with an exit code of its own', { cause });
    this.exitCode = exitCode;
  }
}
