ALTER TABLE "return_pictures" ADD COLUMN "sent_hash" text;--> statement-breakpoint
ALTER TABLE "returns" ADD COLUMN "request_key" text;--> statement-breakpoint
ALTER TABLE "review_pictures" ADD COLUMN "sent_hash" text;