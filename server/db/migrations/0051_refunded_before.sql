ALTER TABLE "payment_attempts" ADD COLUMN "refunded_before_cents" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "refunded_before_cents" bigint;