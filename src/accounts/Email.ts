/** An e-mail address as it is kept and compared: however its letters are composed or cased, and without the space around it. */
export const normalEmail = (email: string): string => email.normalize("NFC").trim().toLowerCase()
